// The two sides of a change: the diff, and the texts that replace files on disk when a side is parsed.
//
// Callers: collect_impact(), in the parent process, on one thread at a time (git/repository.h).
//
// Invariants: with the overlays `now`, the files have the texts of the new side; with `before`, those of the
// old side. Files that are the same on disk have no overlay in `now`.
//
// Cost: reads every changed C and C++ file, both versions, and compares the working tree with the new side.
//
// Errors: RepositoryError.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "git/repository.h"
#include "impact/impact.h"
#include "impact/sources/changed_lines.h"
#include "impact/sources/parse_job.h"

namespace reex::impact {

struct Sides {
  std::string base;                // 40 digits; "" for a diff given as text
  std::optional<std::string> head; // 40 digits; nullopt if the new side is not a commit
  std::vector<FileChange> changes;
  std::vector<FileLines> lines; // of the changed C and C++ files
  Overlays now;                 // texts of the new side that differ from the files on disk
  Overlays before;              // the old text of every changed file, and the unchanged texts of `now`
};

// `repository` may be null if the request contains the diff as text. `is_code`: whether a file, relative to
// the root, is one of C or C++.
Sides read_sides(const ImpactRequest& request, Repository* repository, const std::string& root,
                 const std::function<bool(const std::string&)>& is_code, std::vector<std::string>& notes);

} // namespace reex::impact
