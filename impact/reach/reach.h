// Which test cases can reach nothing that a change has an impact on, as find_reach.h finds it.
#pragma once

#include <set>
#include <string>

namespace reex {

struct Reach {
  std::string unknown;         // why no case is known to be out of reach, in a few words; "" if that is known
  std::set<std::string> cases; // of the sources, as impact/facts/facts.h (Node::test) names them
  std::set<std::string> out_of_reach; // those of them that reach nothing impacted
  bool program_out_of_reach = false;  // what runs in every case reaches nothing impacted
};

} // namespace reex
