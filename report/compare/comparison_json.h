// A comparison as JSON (docs/compare.schema.json), and a run of it as the line of a results file.
#pragma once

#include <stdexcept>
#include <string>

#include "report/compare/comparison.h"

namespace reex {

// What is wrong with a document, and what to do: one line.
struct ComparisonFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// With the summaries, which follow from the runs.
std::string comparison_json(const Comparison& comparison);
// Throws ComparisonFileError.
Comparison read_comparison(const std::string& path);

// One line, without a line feed.
std::string run_line(const RunRecord& run);
// Throws ComparisonFileError.
RunRecord run_of_line(const std::string& line);

} // namespace reex
