// Whether a migrated test does what the sleep-based one did (V1 to V4 of docs/imunit.md). Everything is built
// and run in a copy of the project.
//
// Cost: two builds, three explorations, twenty native runs of each test.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reex/frameworks/framework.h"
#include "reex/symbols/binary_info.h"

namespace reex {

struct MigratedFile {
  std::string path;     // absolute
  std::string checking; // the text with events and schedules, and the sleeps
  std::string migrated; // without the sleeps
};

struct VerifyJob {
  const BinaryInfo& binary;
  Framework framework;
  std::string root;               // of the project; the files and the binary are below it
  std::string build;              // the command
  std::vector<std::string> tests; // "" for a plain program
  std::vector<std::string> arguments;
  const std::vector<MigratedFile>& files;
};

struct Check {
  std::string name;                            // "V1"
  std::string text;                            // what was checked
  std::string problem;                         // of all tests, as of a build; "" for none
  std::map<std::string, std::string> problems; // by test

  bool holds() const { return problem.empty() && problems.empty(); }
};

// Up to the first build that fails.
std::vector<Check> verify_migration(const VerifyJob& job);

} // namespace reex
