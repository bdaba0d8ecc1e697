#include "cli/run/turn_plan.h"

#include <gtest/gtest.h>

#include <map>

namespace reex {
namespace {

using namespace std::chrono_literals;
using Time = TurnPlan::Time;

constexpr Time k_start{100s};

double seconds(Time::duration time) { return std::chrono::duration<double>(time).count(); }

TEST(Budget, IsSharedByParts) {
  const Time deadline = k_start + 60s;
  EXPECT_EQ(share_of_budget(deadline, k_start, 3), k_start + 20s);
  EXPECT_EQ(share_of_budget(deadline, k_start + 40s, 2), k_start + 50s);
  EXPECT_EQ(share_of_budget(deadline, deadline + 1s, 2), deadline);
  EXPECT_EQ(share_of_budget(std::nullopt, k_start, 3), std::nullopt);
  EXPECT_EQ(share_of_budget(deadline, k_start, 6, 4), k_start + 40s);
  EXPECT_EQ(share_of_budget(deadline, k_start, 4, 4), deadline);
}

// Tests that use up whatever they have, on a clock of their own.
struct Tests {
  explicit Tests(std::size_t number, std::optional<Time::duration> budget, bool passes = true)
      : count(number), plan(number, passes, budget ? std::optional(k_start + *budget) : std::nullopt,
                            [this] { return now; }) {}

  void use(std::size_t test, Time end) {
    const Time wanted = needs.contains(test) ? now + needs[test] - used[test] : end;
    const bool ends = wanted < end;
    used[test] += std::max(std::min(wanted, end) - now, Time::duration{});
    turns.push_back(test);
    now = std::max(now, std::min(wanted, end));
    if (knows_change) plan.note(test, changed.contains(test));
    if (!ends) plan.wants_more(test, !at_bound.contains(test));
  }

  void first_turns(bool by_change) {
    plan.begin(by_change);
    for (std::size_t i = 0; i < count; ++i) use(i, *plan.end_of_first_turn(count - i));
  }

  bool go_on(std::size_t test, Time end) {
    use(test, end);
    return true;
  }

  void passes(bool by_change, int most = 1000) {
    while (most-- > 0 && plan.goes_on())
      plan.pass(by_change, [this](std::size_t test, Time end) { return go_on(test, end); });
  }

  std::size_t count;
  Time now = k_start;
  TurnPlan plan;
  bool knows_change = false;
  std::map<std::size_t, bool> changed, at_bound;
  std::map<std::size_t, Time::duration> needs;
  std::map<std::size_t, Time::duration> used;
  std::vector<std::size_t> turns;
};

TEST(TurnPlan, SharesTheWholeBudgetWithoutAChange) {
  Tests tests(4, 20s);
  tests.first_turns(false);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(seconds(tests.used[i]), 5) << i;
}

TEST(TurnPlan, LeavesWhatATestDoesNotNeedToTheOthers) {
  Tests tests(4, 20s);
  tests.needs = {{0, 1s}, {3, 1s}};
  tests.first_turns(false);
  tests.passes(false);
  EXPECT_EQ(seconds(tests.used[0]), 1);
  EXPECT_GE(seconds(tests.used[1]), 8);
  EXPECT_GE(seconds(tests.used[2]), 8);
  EXPECT_EQ(seconds(tests.used[3]), 1);
  EXPECT_GE(seconds(tests.now - k_start), 19.5);
  EXPECT_LE(seconds(tests.now - k_start), 20);
}

TEST(TurnPlan, GivesMostToTheTestsInWhichTheChangeTakesPart) {
  Tests tests(40, 20s);
  tests.knows_change = true;
  tests.changed = {{17, true}};
  tests.first_turns(true);
  EXPECT_LE(seconds(tests.now - k_start), 10.1);
  tests.passes(true);
  EXPECT_GE(seconds(tests.used[17]), 7.5);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_GE(seconds(tests.used[i]), 0.2) << i;
}

TEST(TurnPlan, FindsOutWhereTheChangeTakesPartIfThatWasNotKnown) {
  Tests tests(40, 20s);
  tests.changed = {{17, true}};
  tests.first_turns(true);
  tests.knows_change = true;
  tests.passes(true);
  EXPECT_GE(seconds(tests.used[17]), 3.5);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_LE(seconds(tests.used[i]), i == 17 ? 20 : 1.5) << i;
}

TEST(TurnPlan, PutsThoseThatAreShortOfTheBoundFirst) {
  Tests tests(2, 20s);
  tests.at_bound = {{0, true}};
  tests.needs = {{1, 30s}};
  tests.first_turns(true);
  tests.passes(false);
  EXPECT_EQ(seconds(tests.used[0]), 5);
  EXPECT_EQ(seconds(tests.used[1]), 15);
}

TEST(TurnPlan, NobodyWaitsForTheEndOfAnotherWithoutABudget) {
  Tests tests(3, std::nullopt);
  tests.needs = {{1, 5s}};
  tests.first_turns(false);
  EXPECT_EQ(tests.turns, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(seconds(tests.now - k_start), 6);
  tests.passes(false, 3);
  EXPECT_EQ(seconds(tests.used[1]), 5);
  EXPECT_GE(seconds(tests.used[0]), 14);
  EXPECT_GE(seconds(tests.used[2]), 14);
  EXPECT_TRUE(tests.plan.goes_on());
}

TEST(TurnPlan, GivesNoTurnAfterTheLast) {
  Tests tests(3, std::nullopt);
  tests.first_turns(false);
  tests.turns.clear();
  tests.plan.pass(false, [&](std::size_t test, Time end) {
    tests.use(test, end);
    return false;
  });
  EXPECT_EQ(tests.turns, std::vector<std::size_t>{0});
  EXPECT_FALSE(tests.plan.goes_on());
}

TEST(TurnPlan, HasOneTurnForEachWhereThereAreNoPasses) {
  Tests alone(1, std::nullopt, false);
  EXPECT_EQ(alone.plan.end_of_first_turn(1), std::nullopt);
  Tests two(2, 20s, false);
  two.first_turns(true);
  EXPECT_EQ(seconds(two.used[0]), 10);
  EXPECT_EQ(seconds(two.used[1]), 10);
}

} // namespace
} // namespace reex
