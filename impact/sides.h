// The two sides of a change as texts: the diff, and what stands in for the files on disk when either is
// parsed.
#pragma once

#include <string>
#include <vector>

#include "git/repository.h"
#include "impact/changed_lines.h"
#include "impact/impact.h"
#include "impact/parse.h"

namespace reex::impact {

struct Sides {
  std::string base;                // 40 digits, "" for a diff given as text
  std::optional<std::string> head; // 40 digits, nullopt for files
  std::vector<FileChange> changes;
  std::vector<FileLines> lines; // of the C and C++ files among them
  Overlays now;                 // the new side, where it is not on disk
  Overlays before;              // the old side: every changed file as it was
};

// `repository` may be null if the request has the diff's text. Throws RepositoryError.
Sides read_sides(const ImpactRequest& request, Repository* repository, const std::string& root,
                 std::vector<std::string>& notes);

} // namespace reex::impact
