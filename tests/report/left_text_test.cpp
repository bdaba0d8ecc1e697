#include "report/text/left_text.h"

#include <gtest/gtest.h>

namespace reex {
namespace {

TEST(LeftText, CountsToTwoDigits) {
  const auto count = [](double left) { return estimated_count({2, 1, left, 1}); };
  EXPECT_EQ("about 1", count(0.3));
  EXPECT_EQ("about 7", count(7.2));
  EXPECT_EQ("about 43", count(43.4));
  EXPECT_EQ("about 2,300", count(2345));
  EXPECT_EQ("about 1,000", count(999.6));
  EXPECT_EQ("about 99,000,000,000", count(98.7e9));
  EXPECT_EQ("about 10^40", count(3e40));
  EXPECT_EQ("too many", estimated_count({2, 1, std::nullopt, std::nullopt}));
}

TEST(LeftText, ChoosesAUnitOfTime) {
  EXPECT_EQ("less than a second", estimated_time(0.4));
  EXPECT_EQ("1 second", estimated_time(1.2));
  EXPECT_EQ("3 minutes", estimated_time(190));
  EXPECT_EQ("5 hours", estimated_time(17000));
  EXPECT_EQ("2 days", estimated_time(2e5));
  EXPECT_EQ("3 years", estimated_time(1e8));
  EXPECT_EQ("more than a century", estimated_time(1e300));
}

TEST(LeftText, NamesTheBoundsWhereSomethingIsLeft) {
  const std::vector<Left> some = {{0, 1, 0, 0}, {1, 30, 12, 0.1}, {std::nullopt, 30, std::nullopt, {}}};
  EXPECT_EQ("about 12 schedules left at bound 1, less than a second at this speed; too many without a bound",
            left_at_the_end(some));
  EXPECT_EQ("too many left without a bound", left_in_progress(some));
  EXPECT_EQ("    at bound 0: 1 schedule\n"
            "    at bound 1: about 42 schedules, less than a second\n"
            "    without a bound: too many schedules\n",
            left_before(some));
  // What is left at a bound is left at each higher one.
  EXPECT_EQ("too many schedules left at bound 0; too many at bound 1",
            left_at_the_end({{0, 1, std::nullopt, std::nullopt}, {1, 1, 9, 0.1}}));
  EXPECT_EQ("about 1 schedule left at bound 1, less than a second at this speed; about 1 at bound 2",
            left_at_the_end({{1, 1, 0.3, 0.1}, {2, 1, 1.4, {}}}));
  EXPECT_EQ("    at bound 1: about 1 schedule\n", left_before({{1, 0, 1.2, {}}}));
  EXPECT_EQ("", left_at_the_end({{0, 1, 0, 0}}));
  EXPECT_EQ("", left_in_progress({{0, 1, 0, 0}}));
  EXPECT_EQ("", left_in_progress({}));
}

} // namespace
} // namespace reex
