// A profile of another run: samples are drawn from it and do not change it, so that the samples of all shards
// are those of one run.
#include <gtest/gtest.h>

#include "reex/explorer/profile.h"
#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

constexpr MemoryLayout k_toy_layout = {
    .program = 0, .mapped = 0, .stack = 0}; // its objects are small numbers

Toy program() {
  Toy toy = independent({1, 3, 9});
  for (std::size_t thread = 1; thread < toy.size(); ++thread)
    for (const std::uint64_t object : {5, 6, 6}) toy[thread].push_back({.object = object});
  return toy;
}

std::unique_ptr<LearnedProfile> learned(SearchStrategy strategy) {
  ControlMemory memory;
  memory->config.search = {.strategy = strategy, .seed = 99};
  ToySearch search(program(), memory, memory);
  for (int i = 0; i < 10; ++i) search.next();
  return std::make_unique<LearnedProfile>(*take_profile(*memory));
}

// The executions of a run, or of one of its shards, or of one of its workers.
std::vector<std::string> samples(SearchConfig config, const LearnedProfile& profile, unsigned count,
                                 std::shared_ptr<LearnedProfile>* after = nullptr, unsigned worker = 0,
                                 unsigned workers = 1) {
  ControlMemory memory;
  memory->config.search = config;
  memory->own.index = worker;
  memory->own.workers = workers;
  give_profile(*memory, profile);
  memory->own.sampling.profile.move_to(k_toy_layout);
  memory->search.first = k_first_is_done;
  ToySearch search(program(), memory, memory);
  std::vector<std::string> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(search.next());
  if (after != nullptr) *after = take_profile(*memory);
  return all;
}

class Profiles : public testing::TestWithParam<SearchStrategy> {};

TEST_P(Profiles, ShardsAndWorkersDrawTheSamplesOfOneRun) {
  const auto profile = learned(GetParam());
  SearchConfig config{.strategy = GetParam(), .seed = 3};
  const std::vector<std::string> whole = samples(config, *profile, 60);
  for (unsigned parts = 2; parts <= 3; ++parts)
    for (unsigned part = 0; part < parts; ++part) {
      std::vector<std::string> expected;
      for (std::size_t i = part; i < whole.size(); i += parts) expected.push_back(whole[i]);
      SearchConfig shard = config;
      shard.shard = part;
      shard.shards = parts;
      EXPECT_EQ(expected, samples(shard, *profile, 60 / parts)) << "shard " << part << " of " << parts;
      EXPECT_EQ(expected, samples(config, *profile, 60 / parts, nullptr, part, parts))
          << "worker " << part << " of " << parts;
    }
}

// Without a profile, the samples of a shard are others: what the test above says of it is no matter of
// course.
TEST_P(Profiles, ShardsThatLearnForThemselvesDrawOthers) {
  const auto counted = [](SearchConfig config, unsigned count) {
    ToySearch search(program(), config);
    std::vector<std::string> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(search.next());
    return all;
  };
  SearchConfig config{.strategy = GetParam(), .seed = 3};
  const std::vector<std::string> whole = counted(config, 60);
  config.shard = 1;
  config.shards = 2;
  const std::vector<std::string> part = counted(config, 30);
  std::vector<std::string> expected;
  for (std::size_t i = 1; i < whole.size(); i += 2) expected.push_back(whole[i]);
  EXPECT_NE(expected, part);
}

TEST_P(Profiles, SamplesDoNotChangeIt) {
  const auto profile = learned(GetParam());
  std::shared_ptr<LearnedProfile> after;
  samples({.strategy = GetParam(), .seed = 3}, *profile, 20, &after);
  EXPECT_EQ(profile->executions, after->executions);
  EXPECT_EQ(profile->parents, after->parents);
  EXPECT_EQ(profile->all, after->all);
  EXPECT_EQ(profile->longest, after->longest);
  ASSERT_EQ(profile->objects.size(), after->objects.size());
  for (std::size_t i = 0; i < profile->objects.size(); ++i) {
    EXPECT_EQ(profile->objects[i].counts, after->objects[i].counts);
    EXPECT_EQ(profile->objects[i].total, after->objects[i].total);
  }
}

// Other operations are visible then.
TEST_P(Profiles, ANewRoundLearnsForItself) {
  const auto profile = learned(GetParam());
  ControlMemory memory;
  memory->config.search = {.strategy = GetParam(), .seed = 3};
  give_profile(*memory, *profile);
  memory->own.sampling.profile.move_to(k_toy_layout);
  ToySearch search(program(), memory, memory);
  search.next();
  search.search().start_over();
  memory->own.round = memory->search.round;
  for (int i = 0; i < 3; ++i) search.next();
  EXPECT_EQ(0u, memory->own.sampling.taught_round);
  if (GetParam() != SearchStrategy::pct) {
    EXPECT_EQ(3u, memory->own.sampling.profile.executions);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Profiles,
                         testing::Values(SearchStrategy::pct, SearchStrategy::urw, SearchStrategy::surw),
                         [](const auto& one) { return std::string(row_of(one.param).name); });

// Objects are the same ones where the three parts of the memory lie elsewhere.
TEST(Profile, MovesWithTheMemory) {
  const auto profile = std::make_unique<Profile>();
  const MemoryLayout here = {.program = 0x555555555000, .mapped = 0x7ffff7c00000, .stack = 0x7fffffffe000};
  const MemoryLayout there = {.program = 0x400000, .mapped = 0x7fffe0000000, .stack = 0x7fffffff1230};
  profile->move_to(here);
  profile->begin();
  const auto note_all = [&](const MemoryLayout& layout) {
    for (const std::uint64_t object :
         {layout.program + 0x8000, layout.program - 0x40, layout.mapped + 0x1000,
          layout.mapped - 0x2000000000, layout.stack - 0x200, layout.stack + 0x20})
      profile->note({.object = object, .thread = 0, .bits = 0, .writes = true}, 0, false);
  };
  note_all(here);
  ASSERT_EQ(6u, profile->objects);
  profile->move_to(there);
  note_all(there);
  EXPECT_EQ(6u, profile->objects);
  for (std::uint32_t i = 0; i < profile->objects; ++i) EXPECT_EQ(2u, profile->object[i].counts.now[0]);
}

} // namespace
} // namespace reex::search_test
