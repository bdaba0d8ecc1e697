// The native monitor: real runs of the programs, without reex.
#include <string>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::imunit_test {
namespace {

using namespace reex::tool;

const std::string k_queue = REEX_PROGRAMS "/queue_native";
const std::string k_uses = REEX_PROGRAMS "/uses_native";

Ran run(const Words& command, const Variables& environment = {}) {
  const Folder folder;
  return Running(folder, command, environment).wait();
}

struct Use {
  const char* name;
  int status;
  const char* text; // part of the output
};
constexpr Use k_uses_and_ends[] = {
    {"right", 0, ""},
    {"asked", 0, "ok"},
    {"asked_in_vain", 0, "c never occurred"},
    {"missing", 1, "no code issues bb: is it spelled as in REEX_EVENT"},
    {"missing_allowed", 0, ""},
    {"twice", 1, "a occurred twice, at uses.cpp:"},
    {"numbered", 0, ""},
    {"nested", 1, "another schedule is in force, from uses.cpp:"},
    {"one_after_the_other", 0, ""},
    {"exits_inside", 1, "the process ends while this schedule is in force"},
    {"impossible", 0, ""},
    {"impossible_for_its_spelling", 1, "no code issues bb: is it spelled as in REEX_EVENT"},
    {"names_of_all_kinds", 1, "no code issues zz: is it spelled as in REEX_EVENT"},
    {"deadlock_while_nobody_is_held", 134, "deadlock: the schedule holds nobody"},
    {"two_names", 1, "one thread is called other and another"},
    {"same_name", 1, "two live threads are called other"},
    {"long_name", 0, ""},
    {"wrong_text", 1, "column 5 of the schedule: write a->b, b->c instead of a->b->c"},
    {"under_lock", 1, "other is held at b (uses.cpp:"},
    {"deadlock", 134, "nobody moves although all are let go: a deadlock"},
    {"cancelled", 0, ""},
    {"forks", 0, ""},
    {"left_alone", 1, "a thread was held at b when the schedule ended"},
    {"thread_ends", 0, ""},
    {"sleeper_is_not_blocked", 0, "after the sleep"},
};

class NativeUses : public testing::TestWithParam<Use> {};

TEST_P(NativeUses, EndAsTheyShall) {
  const auto& [name, status, text] = GetParam();
  const Ran ran = run({k_uses, name});
  EXPECT_EQ(ran.status, status) << describe(ran);
  EXPECT_NE(ran.output.find(text), std::string::npos) << describe(ran);
}
INSTANTIATE_TEST_SUITE_P(All, NativeUses, testing::ValuesIn(k_uses_and_ends),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(Native, EnforcesEachSchedule) {
  for (unsigned i = 0; i < 5; ++i) {
    const Ran ran =
        run({k_queue, "--gtest_filter=Queue.*:Ordered.*/right:Infeasible.*:FaultyQueue.OneWaits*"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_NE(ran.output.find("[  PASSED  ] 8 tests"), std::string::npos) << describe(ran);
  }
}

TEST(Native, FailuresAreThoseOfGoogleTest) {
  const Ran wrong = run({k_queue, "--gtest_filter=Ordered.*"});
  EXPECT_EQ(wrong.status, 1) << describe(wrong);
  EXPECT_NE(wrong.output.find("[  FAILED  ] Ordered.WriteThenRead/wrong"), std::string::npos)
      << describe(wrong);
  const Ran stuck = run({k_queue, "--gtest_filter=Unexpected.*"});
  EXPECT_EQ(stuck.status, 1) << describe(stuck);
  EXPECT_NE(stuck.output.find("stuck: no thread can go on"), std::string::npos) << describe(stuck);
  EXPECT_NE(stuck.output.find("finishedTake has not occurred"), std::string::npos) << describe(stuck);
  const Ran again = run({k_queue, "--gtest_filter=FeasibleAgain.*"});
  EXPECT_EQ(again.status, 1) << describe(again);
  EXPECT_NE(again.output.find("feasible again"), std::string::npos) << describe(again);
}

TEST(Native, CheckingHoldsNobody) {
  const Ran ran = run({k_queue, "--gtest_filter=Unexpected.*"}, {{"REEX_IMUNIT", "check"}});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("finishedTake -> startingAdd was not obeyed"), std::string::npos)
      << describe(ran);
  EXPECT_EQ(ran.output.find("stuck"), std::string::npos) << describe(ran);
}

// A deadlock of the threads that wait for each other is seen within two looks; the timeout is for the rest.
TEST(Native, TheTimeoutIsTheUsers) {
  const Ran ran = run({k_uses, "sleeper_is_not_blocked"}, {{"REEX_IMUNIT_TIMEOUT", "0.05"}});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_NE(ran.output.find("longer than the timeout"), std::string::npos) << describe(ran);
}

} // namespace
} // namespace reex::imunit_test
