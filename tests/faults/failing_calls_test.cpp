// Each system call of reex may fail. Whatever does, the run ends in time with a documented status, says one
// line if it is not a verdict, leaves no process behind, and calls no failing test passed.
//
// REEX_FAULTS=all makes every call fail; otherwise a sample of them.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/faults/failing_call.h"
#include "tests/runtime/tool.h"

namespace reex {
namespace {

using namespace std::chrono_literals;
using tool::Folder;
using tool::TracedRun;

constexpr unsigned k_sample = 70; // runs of a subject
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

// The test's processes have the folder's name in their command lines.
bool is_left_alone(const Folder& folder) {
  const auto until = std::chrono::steady_clock::now() + 3s;
  while (!tool::processes_with(folder.path().string()).empty()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

// What is wrong with the run; "" if nothing is.
std::string fault_of(const Subject& subject, const TracedRun& ran, const std::string& claims,
                     const std::string& claims_undisturbed) {
  static const std::set<int> k_documented{0, 1, 2, 3, 4, 5, 6, 7, 70};
  if (!ran.ended) return "it does not end";
  if (!k_documented.contains(ran.status)) return "the status is not documented";
  if (ran.status == 1 - subject.verdict) return "the verdict is wrong";
  const bool says_why = ran.output.find("\nreex: ") != std::string::npos || ran.output.starts_with("reex: ");
  if (ran.status != subject.verdict && !ran.failed.starts_with("write") && !says_why)
    return "it says nothing";
  if (ran.status == 0 && claims != claims_undisturbed) return "it passes, and claims " + claims;
  return "";
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
  const char* chosen = std::getenv("REEX_FAULTS");
  const bool all = chosen != nullptr && std::string(chosen) == "all";
  const unsigned stride = all ? 1 : std::max(1u, calls / k_sample);
  for (unsigned which = 0; which < calls; which += stride) {
    const Folder folder;
    const TracedRun ran = run(subject, folder, which);
    std::string fault = fault_of(subject, ran, claims_of(folder), claims);
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
