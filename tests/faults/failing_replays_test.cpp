// Each system call of a replay and of a minimization may fail (fault_checks.h). The schedule file stays what
// it was, and a minimized one is whole.
#include <gtest/gtest.h>

#include "tests/faults/fault_checks.h"

namespace reex {
namespace {

using namespace std::chrono_literals;
using tool::Folder;
using tool::TracedRun;

constexpr auto k_limit = 30s;
constexpr unsigned k_no_call = UINT_MAX;

struct Verb {
  const char* name;
  int verdict; // the status without a failing call
};
void PrintTo(const Verb& verb, std::ostream* out) { *out << verb.name; }

class FailingReplays : public testing::TestWithParam<Verb> {
protected:
  void SetUp() override {
    if (!tool::may_trace()) GTEST_SKIP() << "no process may be traced here: ptrace is not permitted";
    const tool::Ran ran = tool::explore(m_origin, {}, {REEX_SUBJECT, "fails", m_origin.path().string()});
    ASSERT_EQ(ran.status, 1) << tool::describe(ran);
    m_recorded = tool::schedule_files(m_origin.path()).at(0);
  }

  // In a folder that holds the schedule file alone.
  TracedRun run(const Folder& folder, unsigned which) const {
    std::filesystem::copy_file(m_recorded, folder / "recorded.reex");
    return tool::run_with_failing_call(
        {tool::reex_binary(), GetParam().name, (folder / "recorded.reex").string()}, folder.path().string(),
        which, k_limit);
  }

  Folder m_origin;
  std::filesystem::path m_recorded;
};

TEST_P(FailingReplays, EndInADocumentedWay) {
  unsigned calls = 0;
  std::string minimized;
  {
    const Folder folder;
    const TracedRun undisturbed = run(folder, k_no_call);
    ASSERT_EQ(undisturbed.status, GetParam().verdict) << undisturbed.output;
    ASSERT_GT(calls = undisturbed.calls, 50u);
    minimized = tool::read_file(folder / "recorded.reex.min");
  }
  const std::string recorded = tool::read_file(m_recorded);
  for (unsigned which = 0; which < calls; which += tool::stride_of_calls(calls)) {
    const Folder folder;
    const TracedRun ran = run(folder, which);
    // NOT STARTED, NOT REPLAYED: with the reason in the next line
    std::string fault = tool::fault_of(GetParam().verdict, ran, "", "", "NOT ");
    if (!tool::is_left_alone(m_origin)) fault += " a process is left";
    if (tool::read_file(folder / "recorded.reex") != recorded) fault += " the schedule file is another";
    const std::string written = tool::read_file(folder / "recorded.reex.min");
    if (ran.status == 0 && written != minimized) fault += " the minimized schedule is another";
    EXPECT_EQ(fault, "") << GetParam().name << ", call " << which << " of " << calls << ", " << ran.failed
                         << "\nstatus " << ran.status << '\n'
                         << ran.output;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FailingReplays, testing::Values(Verb{"replay", 1}, Verb{"minimize", 0}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace reex
