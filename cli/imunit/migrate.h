// Rewrites sleep-based tests: the edits of several tests of a file, whether the file may be written, and the
// writing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/imunit/infer_test.h"
#include "cli/imunit/verify.h"

namespace reex {

// The tests whose edits make the files. Each has a schedule.
struct Migration {
  std::vector<std::string> tests;
  std::vector<MigratedFile> files;
  std::string diff; // of all files; paths are relative to `folder`
};

// Edits that several tests have in common are made once. The instances of a typed or parameterized test must
// agree; of those in `not_inferred` nothing is known. Tests that cannot be rewritten are left out, and said
// in `refusals`: "Suite.Test: why".
Migration migrate(const std::vector<InferredTest>& tests, const std::set<std::string>& not_inferred,
                  const std::string& folder, std::vector<std::string>& refusals);

// Throws UsageError if git could not bring back what is overwritten: the file is not committed, or has
// changes.
void require_clean(const std::string& path);

// Replaces the file, by renaming a new one. Throws UsageError.
void replace_file(const std::string& path, const std::string& text);

} // namespace reex
