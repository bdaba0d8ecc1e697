// The first execution of a round is made alone, by whoever begins it: the others wait until it counts, or
// until its worker is gone.
#include <memory>

#include <gtest/gtest.h>

#include "reex/shared/control.h"
#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

class First : public testing::TestWithParam<SearchStrategy> {
protected:
  First() {
    for (unsigned i = 0; i < 2; ++i) {
      m_memories[i]->config.search = SearchConfig{.strategy = GetParam()};
      m_memories[i]->own.index = i;
      m_memories[i]->own.workers = 2;
      m_workers.push_back(std::make_unique<ToySearch>(Toy{{}, accesses(3, 1), accesses(3, 1), accesses(3, 1)},
                                                      m_memories[0], m_memories[i]));
    }
  }

  bool begin(unsigned worker) { return m_workers[worker]->begin(); }
  void finish(unsigned worker) {
    m_workers[worker]->finish([](const std::string&) { return false; });
  }
  void begin_round() {
    {
      Search& search = m_workers[0]->search();
      const Locked locked(search.lock(), 0);
      search.drop_frontier();
      search.start_over();
    }
    for (ControlMemory& memory : m_memories) memory->own.round = m_memories[0]->search.round;
  }
  ToySearch& worker(unsigned number) { return *m_workers[number]; }

private:
  ControlMemory m_memories[2];
  std::vector<std::unique_ptr<ToySearch>> m_workers;
};

class FirstLost : public First {};

TEST_P(First, OfTheRunIsAlone) {
  ASSERT_TRUE(begin(0));
  EXPECT_FALSE(begin(1));
  finish(0);
  EXPECT_TRUE(begin(1));
  EXPECT_TRUE(begin(0));
}

TEST_P(First, OfALaterRoundIsAlone) {
  for (int execution = 0; execution < 9; ++execution) {
    ASSERT_TRUE(begin(execution % 2));
    finish(execution % 2);
  }
  begin_round();
  ASSERT_TRUE(begin(1));
  EXPECT_FALSE(begin(0));
  worker(1).search().again();
  EXPECT_FALSE(begin(0));
  finish(1);
  EXPECT_TRUE(begin(0));
  EXPECT_TRUE(begin(1));
}

// Not in a search where all others are alternatives of the one that is lost.
TEST_P(FirstLost, PassesToAnotherWorkerIfItsOwnIsGone) {
  ASSERT_TRUE(begin(0));
  finish(0);
  begin_round();
  ASSERT_TRUE(begin(1));
  ASSERT_FALSE(begin(0));
  worker(1).search().abandon();
  EXPECT_TRUE(begin(0));
}

std::string name_of(const testing::TestParamInfo<SearchStrategy>& strategy) {
  return std::string(row_of(strategy.param).name);
}

INSTANTIATE_TEST_SUITE_P(Strategies, First,
                         testing::Values(SearchStrategy::icb, SearchStrategy::automatic,
                                         SearchStrategy::random, SearchStrategy::surw),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Strategies, FirstLost,
                         testing::Values(SearchStrategy::automatic, SearchStrategy::random,
                                         SearchStrategy::surw),
                         name_of);

// Or the first sample of a run would be another one each time.
TEST(FirstSample, IsTheFirstWorkers) {
  ControlMemory memories[2];
  for (unsigned i = 0; i < 2; ++i) {
    memories[i]->config.search = SearchConfig{.strategy = SearchStrategy::random};
    memories[i]->own.index = i;
    memories[i]->own.workers = 2;
  }
  const Toy toy{{}, accesses(3, 1), accesses(3, 1)};
  EXPECT_FALSE(ToySearch(toy, memories[0], memories[1]).begin());
  EXPECT_TRUE(ToySearch(toy, memories[0], memories[0]).begin());
}

} // namespace
} // namespace reex::search_test
