// Compares the strategies that sample with what their papers say, on programs that are small enough to know
// the distribution. The seeds are fixed, so a test passes always or never.
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

using Counts = std::map<std::string, unsigned>;

SearchConfig config_of(SearchStrategy strategy, std::uint64_t seed = 1) {
  return {.strategy = strategy, .seed = seed};
}

// Counts executions by their `key`. It does not count the first ones, in which the strategy learns the
// program.
Counts count(ToySearch& search, unsigned executions,
             const std::function<std::string(const std::string&)>& key) {
  for (int i = 0; i < 3; ++i) search.next();
  Counts counts;
  for (unsigned i = 0; i < executions; ++i) ++counts[key(search.next())];
  return counts;
}
std::string whole(const std::string& execution) { return execution; }

// Pearson's statistic, in standard deviations above its mean, if all `kinds` have the same probability.
double deviation_from_even(const Counts& counts, unsigned executions, unsigned kinds) {
  const double expected = static_cast<double>(executions) / kinds;
  double statistic = (kinds - static_cast<double>(counts.size())) * expected;
  for (const auto& [key, seen] : counts) statistic += (seen - expected) * (seen - expected) / expected;
  const double freedom = kinds - 1.0;
  return (statistic - freedom) / std::sqrt(2 * freedom);
}

TEST(Urw, EveryInterleavingIsAsLikely) {
  const unsigned kinds = 60; // 6! / (3! 2! 1!)
  ToySearch urw(independent({0, 3, 2, 1}), config_of(SearchStrategy::urw));
  EXPECT_LT(deviation_from_even(count(urw, 6000, whole), 6000, kinds), 4);
  // The test can notice a difference: a walk without weights prefers some of them.
  ToySearch random(independent({0, 3, 2, 1}), config_of(SearchStrategy::random));
  EXPECT_GT(deviation_from_even(count(random, 6000, whole), 6000, kinds), 10);
}

TEST(Urw, MainTakesPartAndItsChildrenAreNotItsOwn) {
  ToySearch urw(independent({2, 2, 2}), config_of(SearchStrategy::urw));
  EXPECT_LT(deviation_from_even(count(urw, 9000, whole), 9000, 90), 4);
}

TEST(Urw, AThrownAwayExecutionTeachesNothing) {
  ToySearch urw(independent({0, 3, 3}), config_of(SearchStrategy::urw));
  for (int i = 0; i < 50; ++i) urw.next_at_second_try();
  EXPECT_LT(deviation_from_even(count(urw, 4000, whole), 4000, 20), 4);
}

// Only the interesting events, in the order of `execution`.
std::string only(const Toy& toy, const std::string& execution,
                 const std::function<bool(const ToyEvent&)>& interesting) {
  std::vector<unsigned> done(toy.size());
  std::string result;
  for (const char digit : execution) {
    const auto thread = static_cast<std::size_t>(digit - '0');
    if (interesting(toy[thread][done[thread]++])) result += digit;
  }
  return result;
}

// Two threads with three events each on one object, or at impacted code points. One of the threads has a long
// prefix of events that do not matter.
Toy uneven(std::uint8_t bits) {
  Toy toy = independent({0, 20, 0});
  for (unsigned i = 0; i < 3; ++i) {
    toy[1].push_back({.object = 7, .bits = bits});
    toy[2].push_back({.object = 7, .bits = bits});
  }
  return toy;
}

TEST(Surw, InterleavingsOfTheSharedObjectAreAsLikely) {
  const Toy toy = uneven(0);
  const auto key = [&](const std::string& execution) {
    return only(toy, execution, [](const ToyEvent& event) { return event.object == 7; });
  };
  ToySearch surw(toy, config_of(SearchStrategy::surw));
  EXPECT_LT(deviation_from_even(count(surw, 4000, key), 4000, 20), 4);
  for (const SearchStrategy other : {SearchStrategy::random, SearchStrategy::urw, SearchStrategy::pos}) {
    ToySearch search(toy, config_of(other));
    EXPECT_GT(deviation_from_even(count(search, 4000, key), 4000, 20), 10) << row_of(other).name;
  }
}

TEST(Surw, InterleavingsOfImpactedCodePointsAreAsLikely) {
  Toy toy = uneven(k_match_line_on_stack);
  std::uint64_t object = 0;
  for (std::vector<ToyEvent>& thread : toy)
    for (ToyEvent& event : thread) event.object = ++object; // nothing is shared
  const auto key = [&](const std::string& execution) {
    return only(toy, execution, [](const ToyEvent& event) { return event.bits != 0; });
  };
  SearchConfig config = config_of(SearchStrategy::surw);
  config.prioritization = prioritize_by(PrioritizationMode::all, k_match_line_on_stack);
  ToySearch shared(toy, config);
  EXPECT_GT(deviation_from_even(count(shared, 4000, key), 4000, 20), 10);
  config.interesting = Interesting::impacted;
  ToySearch impacted(toy, config);
  EXPECT_LT(deviation_from_even(count(impacted, 4000, key), 4000, 20), 4);
}

// Objects are drawn by how often they are used, so each object is drawn in some executions.
TEST(Surw, EachSharedObjectIsDrawn) {
  Toy toy(3);
  for (std::size_t thread = 1; thread < 3; ++thread)
    for (const std::uint64_t object : {5, 6, 6, 5})
      toy[thread].push_back({.object = static_cast<std::uint64_t>(object)});
  ToySearch surw(toy, config_of(SearchStrategy::surw));
  EXPECT_EQ(70u, count(surw, 5000, whole).size()); // 8! / (4! 4!)
}

// One thread is delayed until another has finished only if it draws the lowest of m + 1 priorities. If each
// choice were drawn independently, m draws would have to have the same result.
TEST(Pos, APendingEventKeepsItsPriority) {
  const unsigned m = 9;
  ToySearch pos(independent({0, m, 1}), config_of(SearchStrategy::pos));
  EXPECT_NEAR(20000.0 / (m + 1), count(pos, 20000, whole).at("1111111112"), 150);
}

TEST(Pos, EventsThatRaceDrawAnew) {
  Toy toy(3);
  toy[1] = accesses(4, 9);
  toy[2] = accesses(1, 9);
  ToySearch pos(toy, config_of(SearchStrategy::pos));
  EXPECT_NEAR(20000.0 / 16, count(pos, 20000, whole).at("11112"), 150); // a coin at each of four races
  for (ToyEvent& event : toy[1]) event.writes = false;
  toy[2][0].writes = false; // reads of one object do not race
  ToySearch reads(toy, config_of(SearchStrategy::pos));
  EXPECT_NEAR(20000.0 / 5, count(reads, 20000, whole).at("11112"), 250);
}

// A bug of depth d needs d ordering constraints. The paper guarantees a probability of 1 / (n k^(d-1)).
TEST(Pct, FindsBugsAsOftenAsItPromises) {
  const unsigned executions = 20000;
  // The order of the events of threads 2 and 3, whatever thread 1 does.
  const auto found = [&](unsigned depth, const std::string& bug) {
    SearchConfig config = config_of(SearchStrategy::pct);
    config.depth = depth;
    ToySearch pct(independent({0, 4, 4, 4}), config);
    return count(pct, executions, [&](std::string execution) {
      std::erase(execution, '1');
      return execution;
    })[bug];
  };
  const double n = 3;
  const double k = 12;
  EXPECT_GE(found(1, "22223333"), executions / n);
  EXPECT_GE(found(2, "22333322"), executions / (n * k));
  EXPECT_GE(found(3, "22332233"), executions / (n * k * k));
  // With a depth that is too small, the bug cannot be found.
  EXPECT_EQ(0u, found(1, "22333322"));
  EXPECT_EQ(0u, found(2, "22332233"));
}

TEST(Pct, AThreadThatYieldsLetsTheOthersRun) {
  Toy toy = independent({0, 0, 4});
  toy[1].push_back({.again = [](const std::vector<unsigned>& done) { return done[2] < 4; }, .yields = true});
  ToySearch pct(toy, config_of(SearchStrategy::pct));
  for (int i = 0; i < 100; ++i) EXPECT_LE(pct.next(1000).size(), 10u);
}

class Each : public testing::TestWithParam<SearchStrategy> {};

TEST_P(Each, SameSeedSameExecutions) {
  const Toy toy = uneven(0);
  ToySearch one(toy, config_of(GetParam(), 5));
  ToySearch same(toy, config_of(GetParam(), 5));
  ToySearch other(toy, config_of(GetParam(), 6));
  unsigned different = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string execution = one.next();
    EXPECT_EQ(execution, same.next_at_second_try());
    different += execution != other.next();
  }
  EXPECT_GT(different, 50u);
}

TEST_P(Each, DrawsEveryInterleaving) {
  SearchConfig config = config_of(GetParam());
  config.depth = 6; // for pct: enough for every interleaving of five events
  ToySearch search(independent({1, 2, 2}), config);
  std::set<std::string> seen;
  for (int i = 0; i < 20000; ++i) seen.insert(search.next());
  EXPECT_EQ(30u, seen.size()); // 5! / (1! 2! 2!)
  EXPECT_FALSE(search.search().exhausted());
  EXPECT_EQ(-1, search.search().bound_completed());
}

TEST_P(Each, KeepsToTheBound) {
  SearchConfig config = config_of(GetParam());
  config.bound = 1;
  ToySearch search(independent({0, 3, 3}), config);
  std::set<std::string> seen;
  for (int i = 0; i < 5000; ++i) seen.insert(search.next());
  EXPECT_EQ((std::set<std::string>{"111222", "222111", "122211", "112221", "211122", "221112"}), seen);
}

// A loop that reex does not recognize waits for another thread. It ends, but may be long between that
// thread's turns.
TEST_P(Each, LoopsEnd) {
  Toy toy = independent({0, 0, 3, 2});
  toy[1].push_back({.object = 77, .again = [](const std::vector<unsigned>& done) { return done[2] < 3; }});
  toy[3].push_back({.object = 77, .again = [](const std::vector<unsigned>& done) { return done[1] < 1; }});
  ToySearch search(toy, config_of(GetParam()));
  for (int i = 0; i < 200; ++i) EXPECT_LT(search.next().size(), 60000u) << i;
}

std::vector<SearchStrategy> samplers() {
  std::vector<SearchStrategy> all;
  for (const StrategyRow& row : strategies())
    if (row.samples()) all.push_back(row.strategy);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Samplers, Each, testing::ValuesIn(samplers()),
                         [](const auto& test) { return std::string(row_of(test.param).name); });

} // namespace
} // namespace reex::search_test
