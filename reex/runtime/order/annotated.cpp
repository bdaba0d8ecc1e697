// All of these variables belong to one execution, and begin_annotated sets them back to what they were before
// the first thread: the first execution of a worker keeps that. A new thread begins with nothing ignored.
#include "reex/runtime/order/annotated.h"

#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"

namespace reex {

std::uint32_t g_ignoring[k_max_threads];
std::uint32_t g_ignoring_order[k_max_threads];
std::uint32_t g_diverted[k_max_threads];

namespace {

struct Range {
  std::uint64_t begin;
  std::uint64_t end;
};
constexpr unsigned k_most_ranges = 1024; // one of more is forgotten, and its races are reported

Range g_expected[k_most_ranges];
unsigned g_expected_count = 0;
unsigned g_expected_before = 0;
std::uint32_t g_ignoring_before = 0; // of main
std::uint32_t g_ignoring_order_before = 0;
std::uint32_t g_diverted_before = 0;

} // namespace

void begin_annotated() {
  if (g_execution == 1) {
    g_expected_before = g_expected_count;
    g_ignoring_before = g_ignoring[0];
    g_ignoring_order_before = g_ignoring_order[0];
    g_diverted_before = g_diverted[0];
  }
  g_expected_count = g_expected_before;
  g_ignoring[0] = g_ignoring_before;
  g_ignoring_order[0] = g_ignoring_order_before;
  g_diverted[0] = g_diverted_before;
}

void annotate_created(const Fiber& child) {
  g_ignoring[child.slot] = g_ignoring_order[child.slot] = g_diverted[child.slot] = 0;
}

void ignore_accesses() { ++g_ignoring[g.current->slot]; }

void heed_accesses() {
  if (std::uint32_t& open = g_ignoring[g.current->slot]; open != 0) --open;
}

void ignore_synchronization() { ++g_ignoring_order[g.current->slot]; }

void heed_synchronization() {
  if (std::uint32_t& open = g_ignoring_order[g.current->slot]; open != 0) --open;
}

void divert() {
  heed_accesses();
  heed_synchronization();
  ++g_diverted[g.current->slot];
}

void end_diverting() {
  if (std::uint32_t& open = g_diverted[g.current->slot]; open != 0) --open;
  ignore_accesses();
  ignore_synchronization();
}

void acquire_stated(const void* object) {
  acquire_from(object);
  acquire_from(published_at(object));
}

void release_stated(const void* object) {
  release_to(object);
  release_to(published_at(object));
}

void expect_races(const void* memory, std::size_t size) {
  const auto begin = reinterpret_cast<std::uint64_t>(memory);
  if (g_expected_count < k_most_ranges) g_expected[g_expected_count++] = {begin, begin + size};
}

bool is_race_expected(std::uint64_t address) {
  for (unsigned i = 0; i < g_expected_count; ++i)
    if (address >= g_expected[i].begin && address < g_expected[i].end) return true;
  return false;
}

} // namespace reex
