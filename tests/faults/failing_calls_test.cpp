// Each system call of a run may fail (fault_checks.h).
#include <gtest/gtest.h>

#include "tests/faults/failing_call.h"
#include "tests/faults/fault_checks.h"
#include "tests/runtime/tool.h"

namespace reex {
namespace {

using namespace std::chrono_literals;
using tool::fault_of;
using tool::Folder;
using tool::is_left_alone;
using tool::TracedRun;

constexpr auto k_limit = 20s;
constexpr unsigned k_no_call = UINT_MAX;

struct Subject {
  const char* name;
  int verdict; // the status without a failure
  tool::Words program;
  tool::Words options;
};
void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }

TracedRun run(const Subject& subject, const Folder& folder, unsigned which) {
  tool::Words program = subject.program;
  program.push_back(folder.path().string());
  return tool::run_with_failing_call(tool::explore_command(folder, subject.options, program),
                                     folder.path().string(), which, k_limit);
}

// What a run that has passed claims.
std::string claims_of(const Folder& folder) {
  const auto report = nlohmann::json::parse(tool::read_file(folder / "report.json"), nullptr, false);
  std::string claims;
  if (!report.is_object()) return claims;
  for (const nlohmann::json& test : report.value("runs", nlohmann::json::array({report})))
    for (const char* member : {"schedules", "exhausted", "bound_completed"})
      claims += test.at(member).dump() + ' ';
  return claims;
}

class FailingCalls : public testing::TestWithParam<Subject> {
protected:
  void SetUp() override {
    if (!tool::may_trace()) GTEST_SKIP() << "no process may be traced here: ptrace is not permitted";
  }
};

TEST_P(FailingCalls, EndInADocumentedWay) {
  const Subject& subject = GetParam();
  unsigned calls = 0;
  std::string claims;
  {
    const Folder folder;
    const TracedRun undisturbed = run(subject, folder, k_no_call);
    ASSERT_EQ(undisturbed.status, subject.verdict) << undisturbed.output;
    ASSERT_GT(calls = undisturbed.calls, 100u);
    claims = claims_of(folder);
  }
  const unsigned stride = tool::stride_of_calls(calls);
  for (unsigned which = 0; which < calls; which += stride) {
    const Folder folder;
    const TracedRun ran = run(subject, folder, which);
    std::string fault = fault_of(subject.verdict, ran, claims_of(folder), claims);
    if (!is_left_alone(folder)) fault += " a process is left";
    EXPECT_EQ(fault, "") << subject.name << ", call " << which << " of " << calls << ", " << ran.failed
                         << "\nstatus " << ran.status << '\n'
                         << ran.output;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FailingCalls,
    testing::Values(Subject{"fails", 1, {REEX_SUBJECT, "fails"}, {"-q"}},
                    Subject{"passes", 0, {REEX_SUBJECT, "passes"}, {"-q"}},
                    Subject{"jobs", 1, {REEX_SUBJECT, "fails"}, {"-q", "-j", "2", "--outcomes"}},
                    Subject{"suite", 1, {REEX_SUBJECT_SUITE}, {"-q"}}),
    [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace reex
