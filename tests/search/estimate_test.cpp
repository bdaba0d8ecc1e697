// Compares the estimate of what is left with the whole tree. At the end it is exact; on the way, a weighted
// mean must be close. Programs and order are fixed.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

Toy with_waits() {
  Toy toy = independent({1, 3, 3, 2});
  toy[2][0].yields = true;
  toy[3][1].enabled = [](const std::vector<unsigned>& done) { return done[2] == 3; };
  return toy;
}

std::vector<BoundEstimate> estimates(const ToySearch& search, const SearchConfig& config) {
  BoundEstimate all[k_estimated_bounds];
  const unsigned count = read_estimates(search.state().estimate, config.bound, false, all);
  return {all, all + count};
}

// For each estimate, the number of executions with at most as many preemptions.
std::vector<double> totals(const Toy& toy, const SearchConfig& config) {
  ToySearch search(toy, config);
  while (!search.next().empty()) {
  }
  std::vector<double> result;
  for (const BoundEstimate& estimate : estimates(search, config)) {
    EXPECT_EQ(0, estimate.left) << estimate.bound;
    result.push_back(static_cast<double>(estimate.executed));
  }
  const double shares = search.state().estimate.explored[k_estimated_bounds - 1];
  EXPECT_NEAR(1, shares, 1e-9) << "the leaves' shares are those of the whole tree";
  return result;
}

using Case = std::tuple<SearchStrategy, PrioritizationMode, std::uint32_t, std::uint64_t>;
class Estimates : public testing::TestWithParam<Case> {
protected:
  SearchConfig config() const {
    const auto [strategy, mode, bound, seed] = GetParam();
    return {.strategy = strategy,
            .prioritization = prioritize_by(mode, k_match_line),
            .bound = bound,
            .seed = seed};
  }
};

TEST_P(Estimates, AreExactAtTheEnd) {
  for (const Toy& toy : {independent({0, 4, 4}), independent({1, 2, 2, 2}), with_waits()}) {
    const std::vector<double> all = totals(toy, config());
    ASSERT_FALSE(all.empty());
    EXPECT_GT(all.back(), config().bound == 0 ? 1 : 10);
    EXPECT_EQ(config().bound == k_no_bound ? k_estimated_bounds : config().bound + 1, all.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Bounds, Estimates,
                         testing::Combine(testing::Values(SearchStrategy::icb, SearchStrategy::dfs),
                                          testing::Values(PrioritizationMode::basic, PrioritizationMode::all),
                                          testing::Values(0u, 2u, k_no_bound), testing::Values(0u, 5u)));

// Two threads with n and m events: the numbers are known without a search.
TEST(Estimate, KnowsTheTreeOfTwoThreadsAfterOneExecution) {
  const SearchConfig config{.strategy = SearchStrategy::icb, .bound = 2};
  ToySearch search(independent({0, 10, 10}), config);
  search.next();
  const auto now = estimates(search, config);
  const std::vector<double> all = totals(independent({0, 10, 10}), config);
  ASSERT_EQ(3u, now.size());
  for (unsigned bound = 0; bound <= 2; ++bound) {
    const double estimated = now[bound].left + static_cast<double>(now[bound].executed);
    EXPECT_LT(estimated, 4 * all[bound]) << bound;
    EXPECT_GT(4 * estimated, all[bound]) << bound;
  }
}

TEST(Estimate, NeverSaysLessThanTheFrontierHolds) {
  const SearchConfig config{.strategy = SearchStrategy::icb, .bound = 3};
  ToySearch search(with_waits(), config);
  while (!search.next().empty())
    EXPECT_GE(estimates(search, config).back().left, static_cast<double>(search.state().pending));
}

// An execution that is thrown away and made again counts once.
TEST(Estimate, CountsAnExecutionOnceThatIsDoneAgain) {
  const SearchConfig config{.strategy = SearchStrategy::icb, .bound = 2};
  ToySearch search(with_waits(), config);
  std::uint64_t executed = 0;
  while (!search.next_at_second_try().empty()) ++executed;
  const auto end = estimates(search, config);
  EXPECT_EQ(executed, end.back().executed);
  EXPECT_EQ(0, end.back().left);
}

TEST(Estimate, BeginsAnewWithTheSearch) {
  const SearchConfig config{.strategy = SearchStrategy::icb, .bound = 2};
  ToySearch search(with_waits(), config);
  for (int i = 0; i < 20; ++i) search.next();
  search.search().drop_frontier();
  search.search().start_over();
  EXPECT_TRUE(estimates(search, config).empty());
  std::uint64_t executed = 0;
  while (!search.next().empty()) ++executed;
  EXPECT_EQ(executed, estimates(search, config).back().executed);
  EXPECT_EQ(0, estimates(search, config).back().left);
}

} // namespace
} // namespace reex::search_test
