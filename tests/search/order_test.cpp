// The exhaustive strategies with a seed (dissertation, section 4.3.6): another order of the same schedules.
#include <algorithm>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

Toy sample() {
  Toy toy = independent({1, 3, 2, 2});
  toy[1][1].bits = k_match_line;
  toy[2][0].bits = k_match_line;
  toy[2][1].yields = true;
  toy[3][1].enabled = [](const std::vector<unsigned>& done) { return done[2] == 2; };
  return toy;
}

std::vector<std::string> explored(const SearchConfig& config) {
  ToySearch search(sample(), config);
  std::vector<std::string> all;
  for (std::string execution = search.next(); !execution.empty(); execution = search.next())
    all.push_back(execution);
  if (config.bound == k_no_bound) {
    EXPECT_TRUE(search.search().exhausted());
  } else {
    EXPECT_EQ(config.bound, search.search().bound_completed());
  }
  return all;
}

std::vector<std::string> sorted(std::vector<std::string> executions) {
  std::sort(executions.begin(), executions.end());
  return executions;
}

// The preemptions of an execution: switches away from a thread that has events left and did not yield.
unsigned preemptions(const std::string& execution) {
  const Toy toy = sample();
  std::vector<unsigned> done(toy.size());
  unsigned result = execution[0] != '0'; // main runs first
  for (std::size_t i = 0; i + 1 < execution.size(); ++i) {
    const auto thread = static_cast<std::size_t>(execution[i] - '0');
    ++done[thread];
    if (execution[i] == execution[i + 1] || done[thread] == toy[thread].size()) continue;
    const ToyEvent& next = toy[thread][done[thread]];
    result += !next.yields && (next.enabled == nullptr || next.enabled(done));
  }
  return result;
}

using Order = std::tuple<SearchStrategy, PrioritizationMode, std::uint32_t>;
class Orders : public testing::TestWithParam<Order> {
protected:
  SearchConfig config(std::uint64_t seed) const {
    const auto [strategy, mode, bound] = GetParam();
    return {.strategy = strategy,
            .prioritization = prioritize_by(mode, k_match_line),
            .bound = bound,
            .seed = seed};
  }
};

TEST_P(Orders, TheSameSchedulesInAnotherOrder) {
  const std::vector<std::string> unseeded = explored(config(0));
  EXPECT_GT(unseeded.size(), 20u);
  std::set<std::string> firsts;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::vector<std::string> seeded = explored(config(seed));
    EXPECT_EQ(sorted(unseeded), sorted(seeded)) << seed;
    EXPECT_NE(unseeded, seeded) << seed;
    EXPECT_EQ(seeded, explored(config(seed))) << seed;
    firsts.insert(seeded.front());
  }
  EXPECT_GT(firsts.size(), 2u);
}

TEST(Seeded, FewerPreemptionsStillComeFirst) {
  unsigned most = 0;
  for (const std::string& execution : explored({.strategy = SearchStrategy::icb, .seed = 3})) {
    EXPECT_GE(preemptions(execution), most) << execution;
    most = std::max(most, preemptions(execution));
  }
  EXPECT_GT(most, 2u);
}

INSTANTIATE_TEST_SUITE_P(Seeded, Orders,
                         testing::Combine(testing::Values(SearchStrategy::icb, SearchStrategy::dfs),
                                          testing::Values(PrioritizationMode::basic, PrioritizationMode::all,
                                                          PrioritizationMode::some),
                                          testing::Values(1u, 2u, k_no_bound)));

} // namespace
} // namespace reex::search_test
