// Workers that share a search are killed at any moment, hundreds of times, and started again. Each schedule
// is counted once.
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "reex/shared/control.h"
#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

class Workers {
public:
  Workers(Toy toy, const SearchConfig& config, unsigned count)
      : m_toy(std::move(toy)), m_memories(count), m_pids(count) {
    for (unsigned i = 0; i < count; ++i) {
      m_memories[i]->config.search = config;
      m_memories[i]->own.index = i;
      m_memories[i]->own.workers = count;
      start(i);
    }
  }
  ~Workers() {
    for (const pid_t pid : m_pids)
      if (pid > 0) kill(pid, SIGKILL);
  }

  // False if the worker had already ended.
  bool kill_one(unsigned i) {
    kill(m_pids[i], SIGKILL);
    int status = 0;
    waitpid(m_pids[i], &status, 0);
    if (WIFEXITED(status)) {
      m_pids[i] = 0;
      return false;
    }
    ToySearch(m_toy, m_memories[0], m_memories[i]).search().recover();
    start(i);
    return true;
  }

  void wait() {
    for (pid_t& pid : m_pids)
      if (pid > 0) waitpid(std::exchange(pid, 0), nullptr, 0);
  }

  std::uint64_t schedules() const { return sum(&Status::schedules); }
  std::uint64_t sum(std::atomic<std::uint64_t> Status::*counter) const {
    std::uint64_t sum = 0;
    for (const ControlMemory& memory : m_memories) sum += (memory->status.*counter).load();
    return sum;
  }
  bool refuted() const { return m_memories[0]->search.audit.refuted; }
  bool exhausted() { return ToySearch(m_toy, m_memories[0], m_memories[0]).search().exhausted(); }

private:
  void start(unsigned i) {
    m_pids[i] = fork();
    if (m_pids[i] != 0) return;
    ToySearch search(m_toy, m_memories[0], m_memories[i]);
    while (search.work()) {
    }
    _exit(0);
  }

  Toy m_toy;
  std::vector<ControlMemory> m_memories;
  std::vector<pid_t> m_pids;
};

void count_once(const SearchConfig& config, unsigned workers) {
  const Toy toy = independent({0, 5, 5, 3});
  constexpr std::uint64_t k_schedules = 72072; // 13! / (5! 5! 3!)
  Workers all(toy, config, workers);
  std::mt19937 random(3); // NOLINT
  unsigned kills = 0;
  for (; kills < 400; ++kills) {
    usleep(100 + random() % 1500);
    if (!all.kill_one(static_cast<unsigned>(random() % workers))) break;
  }
  all.wait();
  EXPECT_GT(kills, 20u);
  EXPECT_EQ(all.schedules(), k_schedules) << kills << " kills, " << workers << " workers";
  EXPECT_TRUE(all.exhausted());
}

// Every third event of each thread is on an object that all share.
Toy meeting(unsigned events, bool unseen) {
  Toy toy = independent({0, events, events, events});
  for (std::size_t thread = 1; thread < toy.size(); ++thread)
    for (std::size_t i = 0; i < events; i += 3) toy[thread][i] = {.object = 1, .unseen = unseen};
  return toy;
}

struct Counts {
  std::uint64_t schedules, cut, audited;
  bool operator==(const Counts&) const = default;
};
void PrintTo(const Counts& counts, std::ostream* out) {
  *out << counts.schedules << " + " << counts.cut << " + " << counts.audited;
}

Counts reduced(const Toy& toy, unsigned workers, bool kill, bool unseen) {
  const SearchConfig config{.reduction = Reduction::automatic, .audit = 3};
  Workers all(toy, config, workers);
  std::mt19937 random(7); // NOLINT
  for (unsigned kills = 0; kill && kills < 400; ++kills) {
    usleep(100 + random() % 1500);
    if (!all.kill_one(static_cast<unsigned>(random() % workers))) break;
  }
  all.wait();
  EXPECT_TRUE(all.exhausted()) << workers;
  EXPECT_EQ(all.refuted(), unseen) << workers;
  return {all.sum(&Status::schedules), all.sum(&Status::pruned), all.sum(&Status::audited)};
}

TEST(Killed, AuditsAreNeitherLostNorMadeTwice) {
  const Toy toy = meeting(5, false);
  const Counts whole = reduced(toy, 1, false, false);
  EXPECT_GT(whole.audited, 32u);
  EXPECT_EQ(whole, reduced(toy, 1, true, false));
  for (const unsigned workers : {2u, 3u}) reduced(toy, workers, true, false);
}

TEST(Killed, AfterARefutationTheSearchStartsOver) {
  const Toy toy = meeting(4, true);
  for (const unsigned workers : {1u, 2u, 3u}) reduced(toy, workers, true, true);
}

TEST(Killed, WorkersAreStartedAgain) {
  for (const unsigned workers : {1u, 2u, 3u}) {
    count_once({}, workers);
    count_once({.strategy = SearchStrategy::dfs}, workers);
    count_once({.seed = 5}, workers);
  }
}

} // namespace
} // namespace reex::search_test
