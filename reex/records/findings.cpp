#include "reex/records/findings.h"

#include "reex/records/checked.h"

namespace reex {

namespace {

constexpr Checked k_checked("findings");

FindingRecord read_finding(const FindingRecord& shared) {
  const FindingRecord copy = fetch(shared);
  k_checked.enumerator(copy.kind, FindingKind::code_entered, "the kind of a finding");
  for (const bool* mark : {&copy.captured, &copy.shown, &copy.certain})
    k_checked.flag(*mark, "a mark of a finding");
  k_checked.at_most(copy.schedule, k_most_executions, "the execution of a finding");
  for (const FindingSide& side : copy.side) {
    k_checked.enumerator(side.act, FindingAct::closed, "what a thread did");
    k_checked.at_most(side.depth, k_max_stack, "the depth of a stack");
  }
  if (copy.side[0].pc == 0 && copy.side[1].pc == 0) k_checked.damaged("a finding is empty");
  return copy;
}

std::vector<FindingRecord> read_findings_with(const Findings& shared, bool FindingRecord::*mark) {
  const std::uint32_t count = read_finding_counts(shared).count;
  std::vector<FindingRecord> copies;
  for (std::uint32_t i = 0; i < count; ++i)
    if (FindingRecord copy = read_finding(shared.record[i]); copy.*mark) copies.push_back(copy);
  return copies;
}

} // namespace

FindingCounts read_finding_counts(const Findings& shared) {
  return {.count = k_checked.at_most(fetch(shared.count), k_max_findings, "the number of findings"),
          .handed = k_checked.at_most(fetch(shared.handed), k_max_findings, "the number of findings"),
          .overflow = k_checked.flag(shared.overflow, "the mark that they are too many"),
          .blind = k_checked.flag(shared.blind, "the mark that nothing is watched"),
          .unchecked = k_checked.at_most(shared.unchecked.load(std::memory_order_relaxed), k_most_executions,
                                         "the number of executions")};
}

std::vector<FindingRecord> read_new_findings(const Findings& shared) {
  const FindingCounts counts = read_finding_counts(shared);
  std::vector<FindingRecord> copies;
  for (std::uint32_t i = counts.handed; i < counts.count; ++i)
    copies.push_back(read_finding(shared.record[i]));
  return copies;
}

std::vector<FindingRecord> read_shown_findings(const Findings& shared) {
  return read_findings_with(shared, &FindingRecord::shown);
}

std::vector<FindingRecord> read_certain_races(const Findings& shared) {
  return read_findings_with(shared, &FindingRecord::certain);
}

} // namespace reex
