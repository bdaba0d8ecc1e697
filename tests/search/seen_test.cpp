// The table of seen steps: what it costs depends on where its entries lie. The steps from one state lie side
// by side, up to a number of threads; those of a thousand threads must not queue for the same places.
#include <array>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include "reex/search/seen.h"

namespace reex::search_test {
namespace {

constexpr std::uint64_t k_block = 64;

TEST(Seen, StepsOfFewThreadsLieBesideTheirState) {
  const std::uint64_t place = 0x1234567;
  std::set<std::uint64_t> places{place};
  for (std::uint64_t thread = 1; thread < k_block; ++thread) places.insert(place_beside(place, thread));
  EXPECT_EQ(k_block, places.size()) << "each has a place of its own, and so has the state";
  EXPECT_EQ(place / k_block, *places.begin() / k_block);
  EXPECT_EQ(place / k_block, *places.rbegin() / k_block);
}

TEST(Seen, StepsOfManyThreadsDoNotQueue) {
  constexpr std::uint64_t k_threads = 1024;
  constexpr std::uint64_t k_places = std::uint64_t{1} << k_least_seen_log;
  for (const std::uint64_t place : {std::uint64_t{0}, std::uint64_t{0x9876543}, k_places - 1}) {
    std::array<unsigned, k_places / k_block> used{};
    for (std::uint64_t thread = 1; thread <= k_threads; ++thread)
      ++used[place_beside(place, thread) % k_places / k_block];
    for (const unsigned count : used) EXPECT_LE(count, k_block) << "in the smallest table, too";
  }
}

} // namespace
} // namespace reex::search_test
