// A test with two threads that overwrites the memory which it shares with reex. Arguments: the seed, which
// decides when and what; the id of a process that must not be harmed; a word that is not used.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "tests/control/scribble.h"

namespace {

using namespace reex;
using namespace reex::control_test;

enum class When : unsigned { before_the_first_thread, in_an_execution, at_the_end, in_later_executions };
enum class Then : unsigned { go_on, crash, spin, stop_the_parent };

std::mutex g_mutex;
std::atomic<int> g_value{0};
int g_plain = 0;
ControlBlock* g_block = nullptr;
std::uint64_t g_seed = 0;
std::int32_t g_stranger = 0;

// The control block, by the name of its file, at whose start it begins; the table in it may be another file.
// With several workers the second one is the shared search's.
ControlBlock* find_block(unsigned nth) {
  ControlBlock* found = nullptr;
  FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && nth != 0 && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long long begin = 0;
    unsigned long long end = 0;
    unsigned long long offset = 0;
    if (std::sscanf(line, "%llx-%llx %*s %llx", &begin, &end, &offset) != 3 || offset != 0) continue;
    if (end - begin < offsetof(ControlBlock, frontier)) continue;
    if (std::strstr(line, "memfd:reex (deleted)") == nullptr && std::strstr(line, ".state") == nullptr)
      continue;
    found = reinterpret_cast<ControlBlock*>(begin); // NOLINT(performance-no-int-to-ptr)
    --nth;
  }
  if (maps != nullptr) std::fclose(maps);
  return found;
}

REEX_UNSEEN long raw(long number, long a, long b) {
  long result = 0;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
  return result;
}

REEX_UNSEEN void damage(When when) {
  Dice dice(g_seed);
  const When chosen = static_cast<When>(dice.below(4));
  const std::uint64_t executions = dice.below(12);
  const Then then = static_cast<Then>(dice.below(10));
  if (chosen == When::in_later_executions ? when != When::in_an_execution : when != chosen) return;
  if (chosen == When::in_later_executions && g_block->status.schedules.load() < executions) return;
  scribble(*g_block, dice, g_stranger);
  switch (then) {
  case Then::crash:
    *reinterpret_cast<volatile int*>(16) = 1; // NOLINT
    break;
  case Then::spin:
    for (volatile bool forever = true; forever;) {
    }
    break;
  case Then::stop_the_parent: { // of a worker; the parent of the test process is reex
    if (when == When::before_the_first_thread) break;
    constexpr long k_getppid = 110;
    constexpr long k_kill = 62;
    raw(k_kill, raw(k_getppid, 0, 0), 9);
    break;
  }
  default:
    break;
  }
}

void work(int id) {
  g_value.fetch_add(id);
  const std::lock_guard lock(g_mutex);
  g_plain += id;
  if (id == 1) damage(When::in_an_execution);
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 0;
  g_seed = std::strtoull(argv[1], nullptr, 10);
  g_stranger = std::atoi(argv[2]);
  g_block = find_block(g_seed % 10 == 0 ? 2 : 1);
  if (g_block == nullptr) return 0;
  damage(When::before_the_first_thread);
  std::thread other(work, 1);
  work(2);
  g_plain += 4; // a race
  other.join();
  std::printf("%d\n", g_value.load());
  if (g_seed % 3 == 0 && g_plain == 5) std::abort();
  std::fflush(stdout);
  damage(When::at_the_end);
}
