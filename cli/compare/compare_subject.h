// What is compared on: the test, the change, and how each run of it is called.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/options/command_line.h"
#include "cli/options/options.h"
#include "report/compare/comparison.h"

namespace reex {

struct CompareSubject {
  std::string binary; // absolute
  std::string given;  // the same, as it was given
  std::string test;   // of a framework; "" for a plain program
  std::vector<std::string> arguments;
  std::string root;                   // where .reex is
  std::string base;                   // 40 digits; "" for a diff
  std::vector<std::string> passed_on; // options of the runs, as given
  bool steps_limited = false;         // among them is --max-steps
  std::string judged;                 // a heuristic
  std::uint64_t schedules = 0;        // the limits of a run
  std::chrono::milliseconds budget{0};
};

// Reads nothing but the binary and the repository. Throws CommandError: no change, no such test, several
// tests, options that a comparison cannot take.
CompareSubject compare_subject(const CommandLine& line, const Options& options);

// The words of a run: `reex run ...`. `folder` gets its .reex.
std::vector<std::string> words_of_run(const CompareSubject& subject, const Contestant& contestant,
                                      const RunId& run, const std::string& folder, const std::string& report);
// `reex impact ...`, which fills the cache of the analysis in `folder`.
std::vector<std::string> words_of_analysis(const CompareSubject& subject, const std::string& folder,
                                           const std::string& report);

} // namespace reex
