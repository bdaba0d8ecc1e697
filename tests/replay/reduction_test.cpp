// TurnReduction without processes: the tests say which schedules would fail.
#include "reex/replay/reduction.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace reex::replay_test {
namespace {

Turns turns_upto(std::uint32_t count) {
  Turns turns;
  for (std::uint32_t i = 0; i < count; ++i)
    turns.push_back({.operation = i, .thread = 1, .to = 2, .kind = ChoiceKind::run});
  return turns;
}

std::set<std::uint32_t> operations(const Turns& turns) {
  std::set<std::uint32_t> result;
  for (const Turn& turn : turns) result.insert(turn.operation);
  return result;
}

struct Reduced {
  std::set<std::uint32_t> left;
  unsigned executions = 0;
};

// An execution fails if it makes all choices of `needed`.
Reduced reduce(std::uint32_t count, const std::set<std::uint32_t>& needed) {
  TurnReduction reduction(turns_upto(count));
  Reduced result;
  while (const auto candidate = reduction.candidate()) {
    ++result.executions;
    const auto made = operations(*candidate);
    if (std::includes(made.begin(), made.end(), needed.begin(), needed.end()))
      reduction.accept(*candidate);
    else
      reduction.reject();
    if (result.executions > 10000) break;
  }
  result.left = operations(reduction.turns());
  return result;
}

TEST(TurnReduction, LeavesWhatIsNeeded) {
  for (const std::uint32_t count : {0U, 1U, 2U, 7U, 100U})
    for (const std::set<std::uint32_t>& needed :
         {std::set<std::uint32_t>{}, {0}, {count / 2}, {0, count / 2, count - (count == 0 ? 0 : 1)}}) {
      if (count == 0 && !needed.empty()) continue;
      EXPECT_EQ(reduce(count, needed).left, needed) << count;
    }
}

TEST(TurnReduction, TakesFewExecutionsForFewChoicesOfMany) {
  EXPECT_LT(reduce(1000, {3, 400}).executions, 100U);
}

// If one choice is left out, another one becomes impossible: the execution makes fewer choices than the
// candidate has.
TEST(TurnReduction, GoesOnWithWhatWasExecuted) {
  TurnReduction reduction(turns_upto(8));
  ASSERT_TRUE(reduction.candidate());
  reduction.accept(turns_upto(1));
  EXPECT_EQ(reduction.turns().size(), 1U);
  reduction.reject();
  EXPECT_FALSE(reduction.candidate());
}

// Otherwise the reduction would not end.
TEST(TurnReduction, DoesNotAcceptWhatIsNoFewer) {
  TurnReduction reduction(turns_upto(1));
  ASSERT_TRUE(reduction.candidate());
  reduction.accept(turns_upto(1));
  EXPECT_EQ(reduction.turns().size(), 1U);
  EXPECT_FALSE(reduction.candidate());
}

} // namespace
} // namespace reex::replay_test
