// The statistics of comparisons, against values that were worked out by hand or by listing all divisions.
#include <gtest/gtest.h>

#include "report/statistics/bootstrap.h"
#include "report/statistics/rank_test.h"
#include "report/statistics/summary.h"
#include "report/statistics/survival.h"

namespace reex {
namespace {

Sample sample(std::initializer_list<double> values) {
  Sample result;
  for (const double value : values) result.push_back({value});
  return result;
}

Observation beyond(double value) { return {value, true}; }

TEST(Order, IsKnownOnlyWhereNobodyMustGuess) {
  EXPECT_EQ(certain_order({1}, {2}), -1);
  EXPECT_EQ(certain_order({2}, {1}), 1);
  EXPECT_EQ(certain_order({2}, {2}), 0);
  EXPECT_EQ(certain_order({2}, beyond(2)), -1); // more than 2
  EXPECT_EQ(certain_order(beyond(5), {3}), 1);
  EXPECT_EQ(certain_order({9}, beyond(5)), 0);
  EXPECT_EQ(certain_order(beyond(9), beyond(5)), 0);
}

TEST(Quantile, InterpolatesBetweenValues) {
  const Sample values = sample({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(quantile(values, 0.5)->value, 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.25)->value, 1.75);
  EXPECT_DOUBLE_EQ(quantile(values, 0)->value, 1);
  EXPECT_DOUBLE_EQ(quantile(values, 1)->value, 4);
  EXPECT_FALSE(quantile({}, 0.5));
}

TEST(Quantile, SaysWhereACensoredValueDecides) {
  const Sample values = {{1}, {2}, {3}, beyond(100)};
  EXPECT_EQ(quantile(values, 0.5)->known, Known::exactly);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5)->value, 2.5);
  EXPECT_EQ(quantile(values, 0.9)->known, Known::at_least);
  // One that ended early may be the greatest of all.
  const Sample early = {{10}, {20}, beyond(1)};
  EXPECT_EQ(quantile(early, 0.5)->known, Known::at_least);
  EXPECT_DOUBLE_EQ(quantile(early, 0.5)->value, 10);
}

TEST(Ratio, IsABoundWhereOneOfBothIs) {
  const auto exact = geometric_mean(sample({2, 8}));
  EXPECT_DOUBLE_EQ(exact->value, 4);
  const auto least = geometric_mean(Sample{{2}, beyond(32)});
  EXPECT_DOUBLE_EQ(least->value, 8);
  EXPECT_EQ(least->known, Known::at_least);
  EXPECT_EQ(ratio(least, exact)->known, Known::at_least);
  EXPECT_EQ(ratio(exact, least)->known, Known::at_most);
  EXPECT_EQ(ratio(least, least)->known, Known::unknown);
  EXPECT_DOUBLE_EQ(ratio(exact, least)->value, 0.5);
}

TEST(RankTest, CountsAllDivisionsOfSmallSamples) {
  const RankTest apart = rank_test(sample({1, 2, 3}), sample({4, 5, 6, 7}));
  EXPECT_TRUE(apart.exact);
  EXPECT_NEAR(apart.p, 2.0 / 35, 1e-12); // 2 of 35 divisions are as extreme
  const RankTest ties = rank_test(sample({1, 5, 5, 9}), sample({5, 7, 8, 9, 12}));
  EXPECT_NEAR(ties.p, 28.0 / 126, 1e-12);
  EXPECT_DOUBLE_EQ(rank_test(sample({3, 3}), sample({3, 3})).p, 1);
  EXPECT_DOUBLE_EQ(rank_test({}, sample({1})).p, 1);
}

TEST(RankTest, IsTheSameForBothSides) {
  const Sample a = sample({1, 4, 4, 9, 20});
  const Sample b = sample({3, 4, 10, 30});
  EXPECT_DOUBLE_EQ(rank_test(a, b).p, rank_test(b, a).p);
}

TEST(RankTest, IsNearTheExactValueBeyondItsLimit) {
  Sample a;
  Sample b;
  for (int i = 0; i < 20; ++i) {
    a.push_back({static_cast<double>(i)});
    b.push_back({i + 5.5});
  }
  const RankTest exact = rank_test(a, b);
  ASSERT_TRUE(exact.exact);
  a.push_back({9.75}); // in the middle: it alters little
  const RankTest normal = rank_test(a, b);
  EXPECT_FALSE(normal.exact);
  EXPECT_NEAR(normal.p, exact.p, 0.01);
  EXPECT_GT(exact.p, 0.001);
  EXPECT_LT(exact.p, 0.05);
}

TEST(RankTest, TakesCensoredValuesAsGreater) {
  const Sample found = sample({1, 2, 3});
  const Sample lost = {beyond(10), beyond(10), beyond(10), beyond(10)};
  // The scores are -6, -4, -2 and four times 3: no other three of them are as far from 0.
  EXPECT_NEAR(rank_test(found, lost).p, 1.0 / 35, 1e-12);
  EXPECT_DOUBLE_EQ(rank_test(lost, lost).p, 1);
}

TEST(A12, IsTheProbabilityOfLess) {
  EXPECT_DOUBLE_EQ(a12(sample({1, 2}), sample({3, 4})), 1);
  EXPECT_DOUBLE_EQ(a12(sample({3, 4}), sample({1, 2})), 0);
  EXPECT_DOUBLE_EQ(a12(sample({1, 3}), sample({2, 3})), 0.625); // 2 less, 1 equal of 4
  EXPECT_DOUBLE_EQ(a12(Sample{beyond(5)}, Sample{beyond(5)}), 0.5);
  EXPECT_DOUBLE_EQ(a12({}, sample({1})), 0.5);
}

TEST(Holm, MultipliesStepByStep) {
  const std::vector<double> adjusted = holm({0.01, 0.04, 0.03, 0.005});
  EXPECT_DOUBLE_EQ(adjusted[3], 0.02);
  EXPECT_DOUBLE_EQ(adjusted[0], 0.03);
  EXPECT_DOUBLE_EQ(adjusted[2], 0.06);
  EXPECT_DOUBLE_EQ(adjusted[1], 0.06); // never below the one before
  EXPECT_DOUBLE_EQ(holm({0.9, 0.8})[0], 1);
  EXPECT_TRUE(holm({}).empty());
}

std::optional<double> mean(const std::vector<Sample>& drawn) { return quantile(drawn[0], 0.5)->value; }

TEST(Bootstrap, IsTheSameEachTimeAndHoldsTheValue) {
  const Sample values = sample({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto interval = bootstrap({values}, mean);
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->low, 5.5);
  EXPECT_GT(interval->high, 5.5);
  EXPECT_GE(interval->low, 1);
  EXPECT_LE(interval->high, 10);
  EXPECT_DOUBLE_EQ(bootstrap({values}, mean)->low, interval->low);
  const auto constant = bootstrap({sample({4, 4, 4})}, mean);
  EXPECT_DOUBLE_EQ(constant->low, 4);
  EXPECT_DOUBLE_EQ(constant->high, 4);
}

TEST(Bootstrap, NeedsTwoValuesAndAStatistic) {
  EXPECT_FALSE(bootstrap({sample({1})}, mean));
  EXPECT_FALSE(bootstrap({sample({1, 2})}, [](const auto&) { return std::optional<double>(); }));
}

TEST(Survival, FallsAtFailuresAloneAndCountsThoseAtRisk) {
  const auto steps = survival_curve(Sample{{1}, beyond(2), {3}, {3}, beyond(3)});
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_DOUBLE_EQ(steps[0].survival, 0.8);
  EXPECT_DOUBLE_EQ(steps[1].value, 3);
  EXPECT_DOUBLE_EQ(steps[1].survival, 0.8 / 3); // two of the three at risk
  EXPECT_TRUE(survival_curve(Sample{beyond(5)}).empty());
}

} // namespace
} // namespace reex
