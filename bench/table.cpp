// The table of seen steps, looked up at random, as the reduction does: with pages of 4 KiB and with large
// ones, if the kernel makes them.
#include <cstdint>
#include <stdexcept>

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include "reex/search/mix.h"
#include "reex/search/seen.h"

namespace {

using namespace reex;

class Table {
public:
  explicit Table(bool large) {
    m_room = map(nullptr, sizeof(SeenStore) + k_large_page, PROT_NONE, MAP_PRIVATE);
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(m_room) % k_large_page;
    // The start of a large page must be the start of one of the shared memory, too.
    char* const place =
        map(m_room + before, sizeof(SeenStore), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED);
    if (!large) madvise(place, sizeof(SeenStore), MADV_NOHUGEPAGE);
    m_store = reinterpret_cast<SeenStore*>(place);
  }
  ~Table() { munmap(m_room, sizeof(SeenStore) + k_large_page); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  static StateKey key(std::uint64_t number) { return {mix(number) | 1, mix(~number)}; }
  void remember(std::uint64_t number) {
    find_or_remember(m_state, *m_store, key(number),
                     {.execution = 1, .node = 1, .preemptions = 0, .level = 0, .iteration = 0, .now = 0});
  }
  bool knows(std::uint64_t number) const { return find_seen(m_state, *m_store, key(number)) != nullptr; }
  std::size_t size() const { return size_of_table(m_state); }

private:
  static char* map(char* place, std::size_t size, int protection, int flags) {
    void* const memory = mmap(place, size, protection, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory");
    return static_cast<char*>(memory);
  }

  char* m_room = nullptr;
  SeenStore* m_store = nullptr;
  SeenState m_state;
};

void seen_table(benchmark::State& state, bool large) {
  Table table(large);
  const auto entries = static_cast<std::uint64_t>(state.range(0));
  for (std::uint64_t number = 0; number < entries; ++number) table.remember(number);
  std::uint64_t turn = 0;
  bool known = true;
  for ([[maybe_unused]] auto _ : state) {
    turn += known ? 1 : 2; // each look-up waits for the one before
    known = table.knows(mix(turn) % entries) && known;
  }
  if (!known) state.SkipWithError("an entry was lost");
  state.counters["MiB"] = static_cast<double>(table.size() >> 20);
}

constexpr std::int64_t k_small = 200'000;
constexpr std::int64_t k_middle = 3'000'000;
constexpr std::int64_t k_great = 12'000'000;

BENCHMARK_CAPTURE(seen_table, small_pages, false)->Arg(k_small)->Arg(k_middle)->Arg(k_great);
BENCHMARK_CAPTURE(seen_table, large_pages, true)->Arg(k_small)->Arg(k_middle)->Arg(k_great);

} // namespace
