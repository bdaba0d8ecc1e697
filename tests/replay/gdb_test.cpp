// reex replay --gdb: gdb stops where the recorded schedule fails, and shows all threads of the test.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/replay/recorded.h"

namespace reex::replay_test {
namespace {

using namespace reex::tool;

struct Kind {
  const char* name;
  const char* where; // a function of the failing stack
  const char* other; // the pending operation of another thread
  const char* line;  // the line at which the failing thread stands
};

class Gdb : public testing::TestWithParam<Kind> {
protected:
  void SetUp() override {
    if (std::system("gdb --version >/dev/null 2>&1") != 0)
      FAIL()
          << "gdb is missing, without which this cannot be tested: scripts/install-dependencies.sh brings it";
  }
  Folder m_folder;
};

TEST_P(Gdb, StopsAtTheFailureWithAllThreads) {
  const Recorded recorded = record(m_folder, GetParam().name);
  const Ran ran = command(m_folder, {"replay", "-q", "--gdb", recorded.file.string(), "--", "-nx", "-batch",
                                     "-ex", "echo FAILED-STACK\\n", "-ex", "bt", "-ex", "info reex-threads",
                                     "-ex", "reex-thread 0", "-ex", "echo MAIN-STACK\\n", "-ex", "bt"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  const std::size_t failed = ran.output.find("FAILED-STACK");
  const std::size_t main = ran.output.find("MAIN-STACK");
  ASSERT_TRUE(failed != std::string::npos && main != std::string::npos) << describe(ran);
  const std::string stack = ran.output.substr(failed, main - failed);
  EXPECT_TRUE(contains(stack, GetParam().where)) << describe(ran);
  EXPECT_TRUE(contains(stack, GetParam().other)) << describe(ran);
  EXPECT_TRUE(contains(stack, "T0 ")) << describe(ran);
  EXPECT_TRUE(contains(stack, "T1 ")) << describe(ran);
  EXPECT_TRUE(contains(stack, "T2 ")) << describe(ran);
  EXPECT_TRUE(contains(ran.output.substr(main), " main (")) << describe(ran);
  // Before that, gdb shows the place in the test, and the report's number of the last step.
  const std::string stop = ran.output.substr(0, failed);
  EXPECT_FALSE(contains(stop, "reex_at_failure")) << describe(ran);
  EXPECT_TRUE(contains(stop, GetParam().line)) << describe(ran);
  const auto steps = nlohmann::json::parse(read_file(recorded.file))["steps"].size();
  EXPECT_TRUE(contains(stop, "The recorded failure, after step " + std::to_string(steps - 1) + ", in T"))
      << describe(ran);
}

constexpr Kind k_kinds[] = {
    {"deadlock", "deadlock", "mutex lock", "std::lock_guard inner(k_mended ? b : a);"},
    {"assertion", "when_preempted", "atomic store", "assert(!\"reached\");"},
    {"signal", "when_preempted", "atomic store", "*nowhere = 1;"},
    {"use_after_free", "use_after_free", "thread join", "if (*p == 7)"}};
INSTANTIATE_TEST_SUITE_P(Failures, Gdb, testing::ValuesIn(k_kinds),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace reex::replay_test
