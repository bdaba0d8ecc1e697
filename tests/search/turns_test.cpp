// Strategy auto: its members take turns, what fails first by turns is found by any number of workers, and the
// bound deepens without losing a schedule. The order of a heuristic costs no schedules.
#include "reex/search/turns.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "reex/shared/control.h"
#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

SearchConfig config_of(SearchStrategy strategy, std::uint64_t seed = 0) {
  SearchConfig config;
  config.strategy = strategy;
  config.seed = seed;
  return config;
}

std::vector<std::string> executions(const Toy& toy, const SearchConfig& config, std::size_t most) {
  ToySearch search(toy, config);
  std::vector<std::string> all;
  while (all.size() < most) {
    all.push_back(search.next());
    if (all.back().empty()) break;
  }
  return all;
}

// Basic, two heuristics, and these two together.
constexpr Prioritization k_prioritizations[] = {
    {},
    prioritize_by(PrioritizationMode::all, 1),
    prioritize_by(PrioritizationMode::some, 2),
    {.rule = {{PrioritizationMode::all, 1}, {PrioritizationMode::some, 2}}, .others = 1}};

// Threads 1 to 3, whose events are on a few objects.
Toy drawn(unsigned seed) {
  std::mt19937 random(seed);
  Toy toy(4);
  for (std::size_t thread = 1; thread < toy.size(); ++thread)
    for (unsigned events = 1 + random() % 3; events > 0; --events)
      toy[thread].push_back(
          {.object = 1 + random() % 3,
           .writes = random() % 2 == 0,
           .bits = static_cast<std::uint8_t>((random() % 4 == 0) | (random() % 4 == 0) << 1)});
  return toy;
}

TEST(Turns, AreCountedAlike) {
  std::uint64_t samples = 0;
  std::uint64_t schedules = 0;
  for (std::uint64_t turn = 1; turn < 100; ++turn) {
    if (frontier_turn_after(schedules) == turn)
      ++schedules;
    else if (sample_after(samples).turn == turn)
      ++samples;
    EXPECT_EQ(samples + schedules, turn);
    EXPECT_EQ(samples_until(turn), samples);
    EXPECT_EQ(frontier_turns_until(turn), schedules);
  }
}

TEST(Turns, AreOfSchedulesThatEndAndOfFourThatAreCut) {
  EXPECT_EQ((FrontierCount{.ended = 0, .cut = 0}.turns()), 0U);
  EXPECT_EQ((FrontierCount{.ended = 5, .cut = 0}.turns()), 5U);
  EXPECT_EQ((FrontierCount{.ended = 5, .cut = 15}.turns()), 5U);
  EXPECT_EQ((FrontierCount{.ended = 5, .cut = 19}.turns()), 6U);
  EXPECT_EQ((FrontierCount{.ended = 1, .cut = 4000}.turns()), 1000U);
  EXPECT_EQ(frontier_turn_after(FrontierCount{.ended = 1, .cut = 3}), frontier_turn_after(1));
}

TEST(Auto, HasTheExecutionsOfItsMembersByTurns) {
  for (const std::uint64_t seed : {0U, 1U, 7U}) {
    const Toy toy = drawn(static_cast<unsigned>(seed) + 3);
    const std::vector<std::string> all = executions(toy, config_of(SearchStrategy::automatic, seed), 40);
    const std::pair<SearchStrategy, std::size_t> members[] = {
        {SearchStrategy::icb, 0}, {SearchStrategy::random, 2}, {SearchStrategy::pos, 3}};
    for (const auto& [member, place] : members) {
      const std::vector<std::string> alone = executions(toy, config_of(member, seed), 10);
      for (std::size_t i = 0; i < alone.size() && k_members * i + place < all.size(); ++i)
        EXPECT_EQ(all[k_members * i + place], alone[i]) << row_of(member).name << ' ' << i;
    }
    EXPECT_EQ(all[1], executions(toy, config_of(SearchStrategy::surw, seed), 1)[0]);
  }
}

// Thread 1 polls until thread 2 has executed its event.
TEST(Auto, HasPatientSamples) {
  constexpr std::size_t k_turns = 200;
  constexpr int k_executions = 400;
  const auto patient = [](SearchStrategy strategy) {
    const auto waits = [](const std::vector<unsigned>& done) { return done[2] == 0; };
    const Toy toy{{}, {{.object = 1, .writes = false, .again = waits}}, {{.object = 1}}};
    ToySearch search(toy, config_of(strategy));
    int count = 0;
    for (int i = 0; i < k_executions; ++i) {
      const std::string execution = search.next(k_turns);
      if (search.search().is_aside() || strategy != SearchStrategy::automatic)
        count += execution == std::string(k_turns, '1');
    }
    return count;
  };
  EXPECT_GE(patient(SearchStrategy::automatic), k_executions / 100);
  EXPECT_LE(patient(SearchStrategy::automatic), k_executions / 8);
  for (const SearchStrategy alone : {SearchStrategy::random, SearchStrategy::pos, SearchStrategy::surw})
    EXPECT_EQ(patient(alone), 0) << row_of(alone).name;
}

// The samples end with the frontier, and claim nothing.
TEST(Auto, ExploresWhatIcbDoes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SearchConfig config = config_of(SearchStrategy::automatic);
    config.bound = seed % 4;
    ToySearch search(drawn(seed), config);
    std::vector<std::string> of_frontier;
    for (std::size_t i = 0;; ++i) {
      const std::string execution = search.next();
      if (execution.empty()) break;
      if (i % k_members == 0) of_frontier.push_back(execution);
    }
    config.strategy = SearchStrategy::icb;
    ToySearch alone(drawn(seed), config);
    for (const std::string& execution : of_frontier) EXPECT_EQ(execution, alone.next());
    EXPECT_EQ(alone.next(), "");
    EXPECT_EQ(search.search().exhausted(), alone.search().exhausted());
    EXPECT_EQ(search.search().bound_completed(), alone.search().bound_completed());
  }
}

// What the reduction cuts short takes no turn, as long as there are no more than three for each schedule that
// ends.
TEST(Auto, HasTurnsForWhatEnds) {
  std::uint64_t cut_in_all = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    SearchConfig config = config_of(SearchStrategy::automatic);
    config.reduction = Reduction::happens_before;
    config.bound = 3;
    ToySearch search(drawn(seed), config);
    config.strategy = SearchStrategy::icb;
    ToySearch alone(drawn(seed), config);
    std::uint64_t samples = 0;
    FrontierCount frontier;
    for (std::string execution = search.next(); !execution.empty(); execution = search.next()) {
      if (search.search().is_aside()) {
        ++samples;
        continue;
      }
      EXPECT_EQ(execution, alone.next());
      EXPECT_EQ(samples, k_sampling_members * frontier.turns()) << "seed " << seed;
      if (frontier.cut <= 3 * frontier.ended) {
        EXPECT_EQ(samples, k_sampling_members * frontier.ended) << "seed " << seed;
      }
      ++(search.end().cut ? frontier.cut : frontier.ended);
    }
    EXPECT_EQ(alone.next(), "");
    cut_in_all += frontier.cut;
  }
  EXPECT_GT(cut_in_all, 100U);
}

// Which failure is reported: the turn of the first one.
std::uint64_t first_failure(const Toy& toy, SearchConfig config, unsigned workers, unsigned order,
                            const std::function<bool(const std::string&)>& fails, std::string& failing) {
  std::vector<ControlMemory> memories(workers);
  std::vector<std::unique_ptr<ToySearch>> searches;
  for (unsigned i = 0; i < workers; ++i) {
    memories[i]->config.search = config;
    memories[i]->own.index = i;
    memories[i]->own.workers = workers;
    searches.push_back(std::make_unique<ToySearch>(toy, memories[0], memories[i]));
  }
  std::mt19937 random(order);
  std::vector<bool> busy(workers);
  std::map<unsigned, std::string> failed; // the last of each worker
  const SearchLimit& limit = memories[0]->search.limit;
  for (unsigned idle = 0; idle < 100 * workers;) {
    const unsigned i = random() % workers;
    if (!busy[i]) {
      busy[i] = searches[i]->begin();
      idle = busy[i] ? 0 : idle + 1;
      continue;
    }
    const bool sample = searches[i]->search().is_aside();
    const std::string execution = searches[i]->finish(fails);
    busy[i] = false;
    idle = 0;
    if (workers == 1 && fails(execution)) {
      failing = execution;
      return limit.set ? limit.turn() : limit.sample;
    }
    if (!sample && limit.set && limit.worker == i && fails(execution)) failed[i] = execution;
    if (sample && limit.sample != 0 && limit.sampling_worker == i && fails(execution))
      failed[workers + i] = execution;
  }
  if (!limit.set && limit.sample == 0) return 0;
  const bool sample = limit.sample != 0 && (!limit.set || limit.sample < limit.turn());
  failing = sample ? failed[workers + limit.sampling_worker] : failed[limit.worker];
  return sample ? limit.sample : limit.turn();
}

TEST(Auto, WorkersFindTheSameFailureFirst) {
  unsigned found = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const Toy toy = drawn(seed);
    SearchConfig config = config_of(SearchStrategy::automatic);
    config.bound = 3;
    const unsigned rarity = 3 + seed % 20;
    const auto fails = [&](const std::string& execution) {
      return std::hash<std::string>()(execution + static_cast<char>(seed)) % rarity == 0;
    };
    std::string alone;
    const std::uint64_t turn = first_failure(toy, config, 1, 0, fails, alone);
    found += turn != 0;
    for (const unsigned workers : {2U, 3U})
      for (unsigned order = 0; order < 4; ++order) {
        std::string together;
        EXPECT_EQ(first_failure(toy, config, workers, order, fails, together), turn)
            << "seed " << seed << ", " << workers << " workers, order " << order;
        EXPECT_EQ(together, alone) << "seed " << seed << ", " << workers << " workers, order " << order;
      }
  }
  EXPECT_GT(found, 100U);
}

// Every schedule by brute force, with its preemptions: no bound, no reduction.
using Outcomes = std::map<std::string, std::int64_t>; // the fewest preemptions

Outcomes outcomes_until(const Toy& toy, SearchConfig config, std::int64_t completed) {
  ToySearch search(toy, config);
  Outcomes outcomes;
  while (search.search().bound_completed() < completed || completed < 0) {
    const std::string execution = search.next();
    if (execution.empty()) break;
    if (search.end().cut) continue;
    const std::int64_t preemptions = search.search().preemptions();
    const auto [known, is_new] = outcomes.emplace(search.end().outcome, preemptions);
    if (!is_new) known->second = std::min(known->second, preemptions);
  }
  return outcomes;
}

TEST(Deepening, LosesNothing) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Toy toy = drawn(seed);
    const Outcomes all = outcomes_until(toy, config_of(SearchStrategy::icb), -1);
    for (const Reduction reduction : {Reduction::none, Reduction::happens_before})
      for (const Prioritization& by : k_prioritizations)
        for (const std::uint32_t bound : {0U, 1U, 2U}) {
          SearchConfig config = config_of(SearchStrategy::icb, seed % 2);
          config.reduction = reduction;
          config.prioritization = by;
          config.bound = bound;
          config.deepens = true;
          EXPECT_EQ(outcomes_until(toy, config, -1), all) << "seed " << seed << ", bound " << bound;
          for (std::int64_t completed = bound; completed < bound + 2; ++completed) {
            const Outcomes some = outcomes_until(toy, config, completed);
            for (const auto& [outcome, preemptions] : all) {
              if (preemptions > completed) continue;
              const auto found = some.find(outcome);
              ASSERT_NE(found, some.end()) << "seed " << seed << ", bound " << bound;
              EXPECT_EQ(found->second, preemptions) << "seed " << seed << ", bound " << bound;
            }
          }
          ToySearch search(toy, config);
          while (!search.next().empty()) {
          }
          EXPECT_TRUE(search.search().exhausted()) << "seed " << seed << ", bound " << bound;
        }
  }
}

// Executed to their end, over the toys.
std::uint64_t executed(SearchConfig config, const Prioritization& by) {
  config.reduction = Reduction::happens_before;
  config.audit = 0;
  config.prioritization = by;
  std::uint64_t count = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    ToySearch search(drawn(seed), config);
    while (!search.next().empty()) count += !search.end().cut;
  }
  return count;
}

// What an iteration has executed, later ones leave out, and so do further bounds. Without a bound a few come
// again: a schedule of a later iteration may cost less.
TEST(Iterations, ExecuteNothingAgain) {
  for (const bool deepens : {false, true}) {
    SearchConfig config = config_of(SearchStrategy::icb);
    config.bound = deepens ? 0 : k_no_bound;
    config.deepens = deepens;
    const std::uint64_t without = executed(config, Prioritization{});
    for (const Prioritization& by : k_prioritizations) {
      const std::uint64_t with = executed(config, by);
      EXPECT_LE(with, without + without / 5) << (deepens ? "deepening" : "without a bound");
    }
  }
}

} // namespace
} // namespace reex::search_test
