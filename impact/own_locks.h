// Locks that threads no longer share, although no line that locks them has changed: an object that was global
// or static is now one for each thread or each call, and its methods lock a mutex of its own. Each thread
// locks another one then. Lines of the regions of such methods follow from the change (follow.h).
//
// The object is one that a removed line declared, that the new side does not declare as a shared variable any
// more, and that is used on a line that stayed: a variable that only has another name is used on other lines.
//
// Cost: the facts of the old side, and the functions of both sides for each call on such a line.
#pragma once

#include <string>
#include <vector>

#include "impact/facts/facts.h"
#include "impact/sources/changed_lines.h"

namespace reex::impact {

struct OwnRegion {
  bool old = false; // the side of `file`
  std::string file;
  Region region;
  std::string declared_in; // of the old side
  unsigned declared = 0;
};

std::vector<OwnRegion> regions_no_longer_shared(const std::vector<FileLines>& changes, const Program& now,
                                                const Program& before);

} // namespace reex::impact
