// The kinds of failures and of findings: their names, and the kind of failure that a finding is where it
// counts as one (docs/semantics.md: "Verdicts").
#pragma once

#include <span>
#include <string_view>

namespace reex {

struct FindingRow {
  std::string_view kind;    // Finding::kind
  std::string_view failure; // Failure::kind
  std::string_view one;     // words for one of them, and for several
  std::string_view many;
};

// In the order of FindingKind (reex/shared/findings.h).
std::span<const FindingRow> finding_rows();

// Null if there is no such kind.
const FindingRow* row_of_finding(std::string_view kind);
// All values of Failure::kind: those that end an execution, and behind them those that come of findings.
std::span<const std::string_view> failure_kinds();

// Null if a failure of this kind ends its execution: it comes of no finding.
const FindingRow* row_of_failure(std::string_view kind);

} // namespace reex
