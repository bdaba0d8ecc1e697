// The tests of a project, which are run where the command line names no binary: those of .reex.toml or,
// without any there, those of `git config reex.test`.
#pragma once

#include <string>
#include <vector>

#include "cli/options/settings.h"

namespace reex {

struct ProjectTests {
  std::string root;             // of the repository, or the folder of the file; absolute
  std::string origin;           // ".reex.toml"
  std::string build;            // the command that builds the tests; "" for none
  std::vector<TestEntry> tests; // with absolute binaries and folders
  std::vector<std::string> notes;
};

// Throws UsageError, which says what to write, if there are none.
ProjectTests require_project_tests(const Settings& settings);

// Whether the change concerns the test: one of the files, relative to the root, fits one of its globs.
bool concerns(const TestEntry& test, const std::vector<std::string>& files);

} // namespace reex
