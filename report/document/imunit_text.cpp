#include "report/document/imunit_text.h"

#include <fmt/format.h>

#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string verdict_text(const ImunitResult& result, const TestRun& run) {
  switch (result.verdict) {
  case ImunitResult::Verdict::satisfied:
    return fmt::format("satisfied by {}", counted(result.satisfied, "execution"));
  case ImunitResult::Verdict::infeasible:
    return result.proved ? "infeasible: proved, all schedules were tried"
                         : fmt::format("infeasible within bound {}", run.bound_completed.value_or(0));
  case ImunitResult::Verdict::not_met:
    break;
  }
  return run.bound_completed ? fmt::format("not met within bound {}", *run.bound_completed) : "not met";
}

} // namespace

std::string imunit_text(const ImunitResult& result, const TestRun& run) {
  std::string text = result.schedule.empty() ? "" : result.schedule + ": ";
  text += verdict_text(result, run);
  if (result.expects_infeasible && result.verdict == ImunitResult::Verdict::infeasible)
    text += ", as it shall be";
  if (result.stuck != 0) text += fmt::format("; {} stuck, outside of it", counted(result.stuck, "execution"));
  if (result.satisfied == 0 && !result.stuck_example.empty())
    text += "; in the first one:\n" + result.stuck_example;
  if (!result.vacuous.empty()) text += "\n" + fmt::format("{}", fmt::join(result.vacuous, "; "));
  return text;
}

} // namespace reex
