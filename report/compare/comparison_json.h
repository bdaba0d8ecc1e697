// A comparison as JSON (docs/compare.schema.json), several in an evaluation, and a run of it as the line of a
// results file.
#pragma once

#include <stdexcept>
#include <string>

#include "report/compare/comparison.h"
#include "report/compare/evaluation.h"

namespace reex {

// What is wrong with a document, and what to do: one line.
struct ComparisonFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// With the summaries, which follow from the runs.
std::string comparison_json(const Comparison& comparison);
// All comparisons of an evaluation (docs/evaluation.schema.json) on one line; of each run what the evaluation
// counts.
std::string evaluation_json(const Evaluation& evaluation);
// Throws ComparisonFileError.
Comparison read_comparison(const std::string& path);

// One line, without a line feed.
std::string run_line(const RunRecord& run);
// Throws ComparisonFileError.
RunRecord run_of_line(const std::string& line);

} // namespace reex
