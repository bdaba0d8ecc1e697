// Schedules that are followed in memory: the search finds with them what it finds without, and executions do
// what was foreseen.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

struct Scenario {
  const char* name;
  bool foreseen; // most of what would be cut short is followed
};

Ran run(const Scenario& scenario, const Words& more, const char* use) {
  const Folder folder;
  Words options{"-k", "0", "--outcomes", "--strategy", "icb", "--audit", "0", "--schedules", "200000"};
  options.insert(options.end(), more.begin(), more.end());
  return explore(folder, options, {REEX_PROGRAMS "/foreseen", scenario.name}, {{"REEX_FORESIGHT", use}});
}

std::map<std::string, unsigned> fewest(const Ran& ran) {
  std::map<std::string, unsigned> preemptions;
  for (const auto& [text, seen] : outcomes_of(ran.report)) preemptions[text] = seen.preemptions;
  return preemptions;
}

std::uint64_t number(const Ran& ran, const char* name) { return ran.report[name].get<std::uint64_t>(); }

class Foresight : public testing::TestWithParam<Scenario> {};

TEST_P(Foresight, ChangesNothingButTheCost) {
  for (const Words& options :
       {Words{"--bound", "none"}, Words{"--bound", "1"}, Words{"--bound", "none", "--strategy", "dfs"},
        Words{"--bound", "2", "--seed", "7"}}) {
    const Ran off = run(GetParam(), options, "off");
    const Ran on = run(GetParam(), options, "on");
    const Ran check = run(GetParam(), options, "check");
    EXPECT_FALSE(fewest(off).empty()) << describe(off);
    for (const Ran* other : {&on, &check}) {
      EXPECT_EQ(other->status, off.status) << describe(*other);
      EXPECT_EQ(fewest(*other), fewest(off)) << describe(*other);
      for (const char* same : {"schedules", "bound_completed", "exhausted", "verdict", "rounds"})
        EXPECT_EQ(other->report[same], off.report[same]) << same << ' ' << describe(*other);
    }
    EXPECT_EQ(number(off, "followed"), 0U) << describe(off);
    EXPECT_EQ(number(check, "followed"), 0U) << describe(check);
    EXPECT_EQ(number(on, "pruned") + number(on, "followed"), number(off, "pruned")) << describe(on);
    if (GetParam().foreseen && number(off, "pruned") > 100) {
      EXPECT_GT(number(on, "followed"), number(on, "pruned")) << describe(on);
    }
  }
}

TEST_P(Foresight, ServesSeveralWorkers) {
  const Ran off = run(GetParam(), {"--bound", "2"}, "off");
  const Ran on = run(GetParam(), {"--bound", "2", "-j", "2"}, "on");
  const Ran check = run(GetParam(), {"--bound", "2", "-j", "3"}, "check");
  for (const Ran* ran : {&on, &check}) {
    EXPECT_EQ(ran->status, off.status) << describe(*ran);
    EXPECT_EQ(fewest(*ran), fewest(off)) << describe(*ran);
    EXPECT_EQ(ran->report["bound_completed"], off.report["bound_completed"]) << describe(*ran);
  }
  if (GetParam().foreseen && number(off, "pruned") > 100) {
    EXPECT_GT(number(on, "followed"), 0U) << describe(on);
  }
  EXPECT_EQ(number(check, "followed"), 0U) << describe(check);
}

INSTANTIATE_TEST_SUITE_P(All, Foresight,
                         testing::ValuesIn(std::vector<Scenario>{{"locks", true},
                                                                 {"independent", true},
                                                                 {"queue", true},
                                                                 {"all_wake", true},
                                                                 {"lost_signal", true},
                                                                 {"tries", true},
                                                                 {"once", true},
                                                                 {"families", true},
                                                                 {"output", true},
                                                                 {"shared_lock", true},
                                                                 {"semaphores", true},
                                                                 {"held_at_start", true},
                                                                 {"polls", false},
                                                                 {"sleeps", false}}),
                         [](const auto& of) { return std::string(of.param.name); });

} // namespace
} // namespace reex::runtime_test
