// Shards: each schedule of the whole is counted by exactly one of them.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

// The executions that the search counts, in order.
std::vector<std::string> counted(const SearchConfig& config, std::uint64_t most = 0) {
  Toy toy = independent({1, 3, 2, 2});
  toy[2][0].bits = 1;
  ToySearch search(toy, config);
  std::vector<std::string> all;
  bool counts = false;
  for (;;) {
    const std::string execution = search.next(&counts, most);
    if (execution.empty()) return all;
    if (counts) all.push_back(execution);
  }
}

std::vector<std::string> sorted(std::vector<std::string> executions) {
  std::sort(executions.begin(), executions.end());
  return executions;
}

// Whether `whole` contains the elements of `part` in this order.
bool is_subsequence(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  auto at = whole.begin();
  for (const std::string& execution : part) {
    at = std::find(at, whole.end(), execution);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

void expect_shared(SearchConfig config) {
  const std::vector<std::string> whole = counted(config);
  for (config.shards = 2; config.shards <= 7; ++config.shards) {
    std::vector<std::string> together;
    std::size_t most = 0;
    for (config.shard = 0; config.shard < config.shards; ++config.shard) {
      const std::vector<std::string> part = counted(config);
      EXPECT_TRUE(is_subsequence(part, whole)) << config.shard << " of " << config.shards;
      together.insert(together.end(), part.begin(), part.end());
      most = std::max(most, part.size());
    }
    EXPECT_EQ(sorted(whole), sorted(together)) << config.shards << " shards, bound " << config.bound;
    if (config.bound == k_no_bound) {
      EXPECT_LT(most, whole.size() * 4 / 5) << config.shards;
    }
  }
}

TEST(Shards, DivideTheSchedules) {
  for (const SearchStrategy strategy : {SearchStrategy::icb, SearchStrategy::dfs})
    for (const std::uint32_t bound : {0u, 1u, 2u, k_no_bound})
      for (const std::uint64_t seed : {0u, 5u})
        expect_shared({.strategy = strategy, .bound = bound, .seed = seed});
}

TEST(Shards, DivideTheSchedulesOfAHeuristic) {
  for (const std::uint32_t bound : {1u, 2u, k_no_bound})
    expect_shared({.prioritization = prioritize_by(PrioritizationMode::some, 1), .bound = bound});
}

TEST(Shards, DealOutSamplesInTurn) {
  for (const SearchStrategy strategy : {SearchStrategy::random, SearchStrategy::pos}) {
    SearchConfig config{.strategy = strategy, .seed = 3};
    const std::vector<std::string> whole = counted(config, 20);
    config.shards = 3;
    for (config.shard = 0; config.shard < config.shards; ++config.shard) {
      std::vector<std::string> expected;
      for (std::size_t i = config.shard; i < whole.size(); i += config.shards) expected.push_back(whole[i]);
      EXPECT_EQ(expected, counted(config, 20));
    }
  }
}

} // namespace
} // namespace reex::search_test
