#include "reex/records/report.h"

#include "reex/records/checked.h"
#include "reex/records/outcomes.h"

namespace reex {

bool read_report_due(const FailureSlot& shared) {
  return Checked("report").flag(shared.due, "the mark that it is due");
}

bool read_report_state(const FailureSlot& shared) {
  return Checked("report").at_most(shared.state.load(), 1, "its state") == 1;
}

ReportCopy read_report(const FailureSlot& shared, const Outcomes& outcomes, const void* block,
                       int descriptor) {
  const Checked checked("report");
  ReportCopy copy;
  copy.failed = checked.flag(shared.failed, "the mark of a failure");
  copy.repeated = checked.flag(shared.repeated, "the mark that it failed again");
  copy.ending = read_ending(shared.ending);
  copy.replayed = read_ending(shared.replayed);
  copy.schedule = checked.at_most(fetch(shared.schedule), k_most_executions, "the execution");
  copy.promoted = fetch(shared.promoted);
  copy.position = fetch(shared.position);
  copy.serial = fetch(shared.serial);
  copy.index = checked.at_most(fetch(shared.index), k_known_failures - 1, "the failure");
  const std::uint64_t offset = fetch(shared.output_offset);
  const std::uint64_t output = fetch(shared.output_length);
  const std::uint64_t error = fetch(shared.error_length);
  const OutcomeText text(outcomes, block, descriptor);
  copy.standard_output = text.read(offset, output);
  copy.standard_error = text.read(offset + output, error);
  return copy;
}

} // namespace reex
