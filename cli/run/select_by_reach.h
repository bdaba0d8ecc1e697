// Leaves out the tests that can reach nothing which the change has an impact on (--select).
#pragma once

#include <string>
#include <vector>

#include "cli/subject/tests_of_binary.h"
#include "impact/impact.h"

namespace reex {

struct SelectedTests {
  std::vector<std::string> kept;
  std::vector<std::string> skipped;
  std::vector<std::string> notes; // how many are skipped, or why none is
  std::string why_all;            // why no test can be skipped; "" if that is known of each
};

SelectedTests select_by_reach(const TestSelection& tests, const Impact& impact);

// What names a case in the sources (impact/facts/facts.h: Node::test); "" if that is not known.
std::string case_in_sources(Framework framework, const std::string& test);

} // namespace reex
