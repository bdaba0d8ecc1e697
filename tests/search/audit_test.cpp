// The audit: what the reduction leaves out is executed all the same, and refutes it where threads influence
// each other unseen.
#include <set>

#include <gtest/gtest.h>

#include "reex/search/mix.h"
#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

struct Explored {
  std::set<std::string> outcomes; // of the schedules that count
  unsigned schedules = 0;
  unsigned cut = 0;
  unsigned audited = 0;
  std::uint64_t left_out = 0;
  bool claims_before_audits = false;
  bool refuted = false;
  bool exhausted = false;
  std::int64_t bound = -1;
};

Explored explore(const Toy& toy, const SearchConfig& config) {
  ToySearch search(toy, config);
  Explored all;
  for (;;) {
    const std::uint64_t waiting = search.state().audit.waiting;
    all.claims_before_audits = all.claims_before_audits || (waiting != 0 && search.search().exhausted());
    if (search.next().empty()) break;
    if (search.was_audit()) {
      ++all.audited;
    } else if (search.end().cut) {
      ++all.cut;
    } else {
      ++all.schedules;
      all.outcomes.insert(search.end().outcome);
    }
  }
  all.left_out = search.state().audit.left_out;
  all.refuted = search.search().is_refuted();
  all.exhausted = search.search().exhausted();
  all.bound = search.search().bound_completed();
  return all;
}

SearchConfig reducing(SearchConfig config, std::uint32_t audit) {
  config.reduction = Reduction::automatic;
  config.audit = audit;
  return config;
}

std::vector<SearchConfig> configurations() {
  return {{.bound = 0},
          {.bound = 1},
          {.bound = 2},
          {},
          {.strategy = SearchStrategy::dfs, .bound = 2},
          {.strategy = SearchStrategy::dfs},
          {.bound = 2, .seed = 5},
          {.prioritization = prioritize_by(PrioritizationMode::all, 1), .bound = 2},
          {.prioritization = prioritize_by(PrioritizationMode::some, 1)}};
}

// Threads with accesses to two shared objects and to objects of their own, as the seed has it.
Toy random_toy(std::uint64_t seed, bool unseen) {
  Toy toy(seed % 3 == 0 ? 3 : 4);
  std::uint64_t random = mix(seed);
  for (std::size_t thread = 1; thread < toy.size(); ++thread)
    for (unsigned i = 0; i < (toy.size() == 3 ? 4 : 3); ++i) {
      random = mix(random);
      const unsigned object = random % 4;
      toy[thread].push_back({.object = object < 2 ? object : 10 * thread + i,
                             .writes = random / 4 % 3 != 0,
                             .bits = static_cast<std::uint8_t>(random / 16 % 4 == 0 ? 1 : 0),
                             .yields = random / 64 % 8 == 0,
                             .unseen = unseen && object == 0});
    }
  return toy;
}

TEST(Audit, RefutesNothingWhereAllIsSeen) {
  unsigned audited = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Toy toy = random_toy(seed, false);
    for (const SearchConfig& config : configurations()) {
      const Explored all = explore(toy, reducing(config, 1));
      EXPECT_FALSE(all.refuted) << seed;
      EXPECT_FALSE(all.claims_before_audits) << seed;
      audited += all.audited;
    }
  }
  EXPECT_GT(audited, 3000u);
}

// Of equivalent executions, one may put a thread back where another one does not.
TEST(Audit, RefutesNothingWhereOnlySomeExecutionsSpin) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Toy toy = random_toy(seed, false);
    for (std::size_t thread = 1; thread < toy.size(); ++thread)
      for (ToyEvent& event : toy[thread]) event.spins = !event.writes;
    for (const SearchConfig& config : configurations())
      EXPECT_FALSE(explore(toy, reducing(config, 1)).refuted) << seed;
  }
}

TEST(Audit, ChangesNothingElse) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Toy toy = random_toy(seed, false);
    for (const SearchConfig& config : configurations()) {
      const Explored without = explore(toy, reducing(config, 0));
      const Explored with = explore(toy, reducing(config, 1));
      EXPECT_EQ(without.audited, 0u);
      EXPECT_EQ(without.outcomes, with.outcomes) << seed;
      EXPECT_EQ(without.outcomes, explore(toy, config).outcomes) << seed;
      EXPECT_EQ(without.schedules, with.schedules) << seed;
      EXPECT_EQ(without.cut, with.cut) << seed;
      EXPECT_EQ(without.bound, with.bound) << seed;
      EXPECT_EQ(without.exhausted, with.exhausted) << seed;
    }
  }
}

TEST(Audit, FindsWhatIsUnseen) {
  unsigned missed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Toy toy = random_toy(seed, true);
    for (const SearchConfig& config : configurations()) {
      const std::set<std::string> all = explore(toy, config).outcomes;
      if (explore(toy, reducing(config, 0)).outcomes == all) continue;
      ++missed;
      const Explored audited = explore(toy, reducing(config, 1));
      EXPECT_TRUE(audited.refuted) << seed;
      EXPECT_EQ(audited.outcomes, all) << seed;
    }
  }
  EXPECT_GT(missed, 20u);
}

TEST(Audit, ExecutesTheFirstAndThenOneInSoMany) {
  const Toy toy = independent({0, 4, 4, 4, 4});
  EXPECT_EQ(explore(toy, reducing({}, UINT32_MAX)).audited, k_first_audits);
  const Explored all = explore(toy, reducing({}, 1));
  const Explored some = explore(toy, reducing({}, 8));
  EXPECT_GT(some.audited, k_first_audits + all.audited / 16);
  EXPECT_LT(some.audited, k_first_audits + all.audited / 4);
  EXPECT_EQ(some.schedules, all.schedules);
}

TEST(Audit, GrowsSlowlyWhereMuchIsLeftOut) {
  constexpr std::uint32_t k_one_in = 64;
  const Explored all = explore(independent({0, 8, 8, 8, 8, 8}), reducing({}, k_one_in));
  ASSERT_GT(all.left_out, 3 * k_audited_in_full);
  EXPECT_TRUE(all.exhausted);
  EXPECT_GT(all.audited, k_audited_in_full / k_one_in); // of the first ones, as many as ever
  EXPECT_LT(all.audited, all.left_out / k_one_in * 4 / 5);
}

} // namespace
} // namespace reex::search_test
