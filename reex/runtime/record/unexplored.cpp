#include "reex/runtime/record/unexplored.h"

#include <cstring>

#include "reex/runtime/core/runtime.h"
#include "reex/search/mix.h"

namespace reex {
namespace {

constexpr unsigned k_tries = 32; // a set that is nearly full must not cost more than another one

void add(PlaceSet& set, const void* place) {
  const auto address = reinterpret_cast<std::uint64_t>(place);
  std::uint64_t slot = address * 0x9e3779b97f4a7c15 >> 32;
  for (unsigned tries = 0; tries < k_tries; ++tries, ++slot) {
    std::uint64_t& entry = set.place[slot % k_unexplored_places];
    if (entry == 0) entry = address;
    if (entry == address) return;
  }
}

bool g_made_process = false;

} // namespace

void note_loop_met(const void* pc) { add(g.control->unexplored.loops, pc); }

void note_ordering_sleep(const void* pc) { add(g.control->unexplored.sleeps, pc); }

void note_timed_wait(const void* pc) { add(g.control->unexplored.timed, pc); }

void note_guard(const void* pc) { add(g.control->unexplored.guards, pc); }

void note_stuck_guard(const void* pc) { add(g.control->unexplored.stuck, pc); }

void note_wake(const void* pc) { add(g.control->unexplored.wakes, pc); }

void note_clock_reading(const void* pc) { add(g.control->unexplored.clocks, pc); }

void note_processor(const void* pc) { add(g.control->unexplored.processors, pc); }

void note_random_numbers(const void* pc) { add(g.control->unexplored.random, pc); }

void note_exempted(const void* pc) { add(g.control->unexplored.exempted, pc); }

void note_stale_load(const void* pc, const void* object) {
  add(g.control->unexplored.loads, pc);
  add(g.control->unexplored.atomics, object);
}

void note_address_kept(const void* pc, bool by_another) {
  Unexplored& all = g.control->unexplored;
  add(all.exchanges, pc);
  if (by_another) add(all.exchanges_beside_others, pc);
}

void note_shared_memory() { g.control->unexplored.shared_memory = true; }

void note_child_threads() { g.control->unexplored.child_threads = true; }

void note_file(const char* name, std::uint64_t content) {
  Unexplored& all = g.control->unexplored;
  std::uint64_t hash = 0;
  for (const char* at = name; *at != 0; ++at) hash = mix(hash ^ static_cast<unsigned char>(*at));
  hash |= 1;
  for (unsigned tries = 0; tries < k_tries; ++tries) {
    SeenFile& file = all.files[((hash >> 32) + tries) % k_seen_files];
    if (file.name == 0) file = {.name = hash, .content = content};
    if (file.name != hash) continue;
    if (file.content != content && all.changed_file[0] == 0)
      strncpy(all.changed_file, name, sizeof all.changed_file - 1);
    return;
  }
}

void note_outside() {
  if (g.live > 1) g.control->unexplored.outside = true;
}

bool waited_outside() { return g.control->unexplored.outside; }

// A worker that makes processes has one execution only.
void note_process() { g_made_process = true; }

bool made_process() { return g_made_process; }

} // namespace reex
