// A restore leaves the table alone: an entry with another execution's number is free.
#include "reex/runtime/order/stale_values.h"

#include <cstdint>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {
namespace {

struct LastStore {
  const void* object;
  std::uint32_t execution; // if it is not g_execution, the entry is free
  std::uint32_t clock;
  std::uint16_t slot; // of the thread; with the clock, it names the store (happens_before.cpp)
  bool weak;
};

constexpr unsigned k_entries = 1u << 12;
constexpr unsigned k_tries = 8;
LastStore g_stores[k_entries];

unsigned place_of(const void* object) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(object) * 0x9e3779b97f4a7c15 >> 52);
}

// Whether stores are remembered by now.
bool is_weak_program(bool weak) {
  if (weak) g.control->unexplored.weak_atomics = true;
  return g.control->unexplored.weak_atomics;
}

// The object's entry, a free one, or one that is given up.
LastStore& entry_of(const void* object) {
  const unsigned first = place_of(object);
  for (unsigned i = first; i < first + k_tries; ++i) {
    LastStore& entry = g_stores[i % k_entries];
    if (entry.execution != g_execution || entry.object == object) return entry;
  }
  return g_stores[first];
}

} // namespace

void watch_atomic_store(const void* object, int order) {
  const bool weak = order != __ATOMIC_SEQ_CST;
  if (!g_ordering || !is_weak_program(weak)) return;
  const std::uint16_t slot = g.current->slot;
  entry_of(object) = {object, g_execution, g_clocks[slot][slot], slot, weak};
}

void watch_atomic_load(const void* object, int order, const void* pc) {
  const bool weak = order != __ATOMIC_SEQ_CST;
  if (!g_ordering || !is_weak_program(weak)) return;
  const LastStore& last = entry_of(object);
  if (last.execution != g_execution || last.object != object || last.slot == g.current->slot) return;
  if ((weak || last.weak) && g_clocks[g.current->slot][last.slot] < last.clock) note_stale_load(pc, object);
}

} // namespace reex
