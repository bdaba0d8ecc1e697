// A failing interleaving that a comparison shows, with the diff beside it: what the page of a run draws, in a
// size that can be kept for each test.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "report/document/diff_hunks.h"
#include "report/document/interleaving.h"
#include "report/document/run_report.h"

namespace reex {

struct ShownFailure {
  std::string key;
  std::string message;
  std::uint64_t schedule = 0;
  unsigned preemptions = 0;
  Interleaving interleaving;
  ChangeView change; // only the lines that the execution passed, and those around them
  Passage passage;
  // The text of lines that were passed outside of the diff.
  std::map<std::pair<std::string, unsigned>, std::string> sources;
};

// The failure that is counted: the first one that ended an execution, else the first that comes of a finding.
std::optional<ShownFailure> shown_failure_of(const RunReport& report);

// null if the run has not failed.
nlohmann::ordered_json shown_failure_json(const std::optional<ShownFailure>& shown);
// Throws nlohmann::json::exception if it is damaged.
std::optional<ShownFailure> shown_failure_of(const nlohmann::ordered_json& json);
// A run's report in this format, for the process of the comparison.
std::string shown_failure_text(const RunReport& report);

// `id` begins all ids. `title` is the heading, plain text.
std::string shown_failure_html(const ShownFailure& shown, const std::string& id, const std::string& title);

} // namespace reex
