// Lock regions that the user's own functions begin and end: one that takes a lock and leaves it locked, or
// releases one that it has not taken, does so for whoever calls it. The functions are those of both sides of
// the change, so a region is known although its functions no longer lock, or are no longer called.
//
// Cost: the functions with half a region, and the calls of them. regions() looks for the end of each region
// among the file's calls.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/line_index.h"

namespace reex::impact {

struct CallRegion {
  Region region;     // `lock` is what the function locks
  std::string taker; // the usr of the function
};

class LockingFunctions {
public:
  // It refers to the index, which must outlive it.
  LockingFunctions(const Program& now, const Program& before, LineIndexes& lines);

  // The regions that calls in a file begin and the parse has not found as such. If an object that releases
  // the lock keeps it, they go on to its end, and else, without a call that releases, to that of the calling
  // function.
  std::vector<CallRegion> regions(const FileFacts& facts) const;

  // The functions that take a lock by their unqualified names, with their usrs.
  const std::map<std::string, std::string>& taker_names() const { return m_taker_names; }

private:
  void add(const Program& program);
  void add_overridden(const Program& program);
  bool add_callers(const Program& program, bool takers);
  // Of a call whose function a template does not know yet, any of its name.
  const std::string* taker(const Call& call) const;
  bool releases(const Call& call) const;
  // The last line on which an object keeps what is locked on that one; 0 for none.
  unsigned kept_until(const FileFacts& facts, unsigned line) const;

  LineIndexes& m_lines;
  std::map<std::string, std::string> m_takers; // usr -> what it locks
  std::set<std::string> m_constructors;        // of the takers
  std::set<std::string> m_releasers;
  std::map<std::string, std::string> m_taker_names; // unqualified -> usr
  std::set<std::string> m_releaser_names;
};

} // namespace reex::impact
