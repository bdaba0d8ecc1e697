#include "reex/search/seen.h"

#include <atomic>
#include <cstring>

namespace reex {
namespace {

unsigned log_of(const SeenState& state) { return state.where >> 1; }
std::uint32_t mask_of(unsigned log) { return (std::uint32_t{1} << log) - 1; }
std::size_t size_of(unsigned log) { return sizeof(SeenEntry) << log; }

std::uint16_t short_of(std::uint32_t number) { return static_cast<std::uint16_t>(number); }

// The entry with the key, or the free entry where it belongs.
SeenEntry& place_of(SeenEntry* table, unsigned log, StateKey key) {
  for (std::uint64_t i = key.b;; ++i) {
    SeenEntry& entry = table[i & mask_of(log)];
    if (entry.a == 0 || (entry.a == key.a && entry.b == key.b)) return entry;
  }
}

void start(SeenState& state, SeenStore& store, unsigned which) {
  std::memset(store.table[which], 0, size_of(k_least_seen_log));
  state.count = 0;
  state.full = false;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.where = k_least_seen_log << 1 | which;
}

// Doubles a table that is three quarters full. False: it cannot grow further.
bool make_room(SeenState& state, SeenStore& store) {
  const unsigned log = log_of(state);
  if (state.count < mask_of(log) / 4 * 3) return true;
  state.full = state.full || log == k_most_seen_log || !has_room_for(size_of(log + 1));
  if (state.full) return false;
  const unsigned which = state.where & 1;
  SeenEntry* from = store.table[which];
  SeenEntry* to = store.table[which ^ 1];
  use_large_pages(to, size_of(log + 1));
  std::memset(to, 0, size_of(log + 1));
  for (std::uint32_t i = 0; i <= mask_of(log); ++i)
    if (from[i].a != 0) place_of(to, log + 1, {from[i].a, from[i].b}) = from[i];
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.where = (log + 1) << 1 | (which ^ 1);
  give_back(from, size_of(log));
  return true;
}

} // namespace

SeenEntry* find_seen(const SeenState& state, SeenStore& store, StateKey key) {
  if (state.where == 0) return nullptr;
  SeenEntry& entry = place_of(store.table[state.where & 1], log_of(state), key);
  return entry.a != 0 ? &entry : nullptr;
}

SeenEntry* find_or_remember(SeenState& state, SeenStore& store, StateKey key, const Visitor& visitor) {
  if (state.where == 0) start(state, store, 0);
  SeenEntry* entry = &place_of(store.table[state.where & 1], log_of(state), key);
  if (entry->a != 0) return entry;
  if (!make_room(state, store)) return nullptr;
  entry = &place_of(store.table[state.where & 1], log_of(state), key);
  *entry = {0,
            key.b,
            visitor.execution,
            visitor.node,
            visitor.preemptions,
            short_of(visitor.level),
            short_of(visitor.iteration)};
  std::atomic_signal_fence(std::memory_order_seq_cst);
  entry->a = key.a;
  ++state.count;
  return entry;
}

void take_over(SeenEntry& entry, const Visitor& visitor) {
  entry.execution = visitor.execution;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  entry.node = visitor.node;
  entry.preemptions = visitor.preemptions;
  entry.level = short_of(visitor.level);
  entry.iteration = short_of(visitor.iteration);
}

void forget_seen(SeenState& state, SeenStore& store) {
  if (state.where != 0) start(state, store, (state.where & 1) ^ 1);
}

} // namespace reex
