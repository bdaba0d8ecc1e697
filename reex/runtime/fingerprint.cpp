#include "reex/runtime/fingerprint.h"

#include "reex/runtime/cells.h"
#include "reex/runtime/execution.h"
#include "reex/runtime/modules.h"
#include "reex/runtime/race.h"

namespace reex {

bool g_fingerprinting = false;

namespace {

struct Print {
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  void operator+=(Print other) {
    a += other.a;
    b += other.b;
  }
  void operator-=(Print other) {
    a -= other.a;
    b -= other.b;
  }
};

constexpr Print k_start{0x243f6a8885a308d3, 0x13198a2e03707344};

std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) {
  __extension__ const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

Print mix(Print print, std::uint64_t value) {
  return {folded_product(print.a ^ value, 0x9e3779b97f4a7c15),
          folded_product(print.b ^ (value << 32 | value >> 32), 0xd1342543de82ef95)};
}

Print mix(Print print, Print other) { return mix(mix(print, other.a), other.b); }

// The last operations on eight bytes.
struct Word {
  std::uint64_t number;    // address / 8
  std::uint32_t execution; // of another one: the entry is free
  Print write;             // the last
  Print reads;             // since then, in any order
};

constexpr unsigned k_words = 1u << 15;
constexpr unsigned k_most_words = k_words / 4 * 3;

Word g_words[k_words];
unsigned g_word_count = 0;
bool g_words_full = false;
Print g_outside;  // the last operation on the world outside
Print g_era;      // of the last fence
Print g_standing; // sum over the threads
Print g_history_of[k_max_threads];
Print g_standing_of[k_max_threads];

Print& own_history() { return g_history_of[g.current->id]; }

Word* word_of(std::uint64_t number) {
  for (std::uint64_t i = number * 0x9e3779b97f4a7c15 >> 49;; ++i) {
    Word& word = g_words[i % k_words];
    if (word.execution == g_execution) {
      if (word.number == number) return &word;
      continue;
    }
    if (g_word_count == k_most_words) return nullptr;
    ++g_word_count;
    word = {number, g_execution, {}, {}};
    return &word;
  }
}

// What an operation depends on.
enum class Scope : std::uint8_t {
  thread,  // nothing but its thread
  reads,   // writes of its object
  writes,  // all operations of its object
  outside, // all that act on the world outside
  all,
};

Scope scope_of(Operation operation) {
  switch (operation) {
  case Operation::none:
  case Operation::thread_create:
  case Operation::thread_start:
  case Operation::thread_end:
  case Operation::thread_join:
  case Operation::atomic_fence:
  case Operation::yield:
  case Operation::sleep:
    return Scope::thread;
  case Operation::atomic_load:
  case Operation::plain_read:
    return Scope::reads;
  case Operation::stream:
  case Operation::descriptor_write:
  case Operation::channel_read:
  case Operation::channel_write:
  case Operation::channel_accept:
  case Operation::channel_connect:
  case Operation::channel_close:
  case Operation::poll:
  case Operation::child_wait:
  case Operation::file_lock:
  case Operation::process_exit:
    return Scope::outside;
  case Operation::thread_cancel:
  case Operation::cancel_test:
  case Operation::signal_send:
  case Operation::signal_deliver:
  case Operation::signal_setup:
  case Operation::signal_wait:
  case Operation::signal_suspend:
  case Operation::signal_sleep:
    return Scope::all;
  default:
    return Scope::writes;
  }
}

void use_word(Print& history, std::uint64_t number, bool writes) {
  Word* word = word_of(number);
  if (word == nullptr) {
    g_words_full = true;
    return;
  }
  history = mix(mix(history, number), word->write);
  if (writes) {
    history = mix(history, word->reads);
    word->write = history;
    word->reads = {};
  } else {
    word->reads += history;
  }
}

bool is_wanted() {
  const RunConfig& config = g.control->config;
  if (config.search.reduction == Reduction::none || g.detail || !search().learning()) return false;
  if (config.search.reduction == Reduction::automatic && !g.in_place) return false;
  return g_instrumented && (config.accesses == VisibleAccesses::all ||
                            (config.accesses == VisibleAccesses::racy && config.races));
}

} // namespace

void begin_fingerprint() {
  g_fingerprinting = is_wanted();
  if (!g_fingerprinting) return;
  g_word_count = 0;
  g_words_full = false;
  g_outside = g_era = g_history_of[0] = k_start;
  g_standing = g_standing_of[0] = {};
}

void fingerprint_standing(const Fiber& fiber) {
  if (!g_fingerprinting) return;
  const Pending& pending = fiber.pending;
  const unsigned flags = pending.timed_out | pending.notified << 1 | pending.interrupted << 2;
  Print& standing = g_standing_of[fiber.id];
  g_standing -= standing;
  standing = mix(mix(g_history_of[fiber.id], fiber.id << 16 | static_cast<unsigned>(pending.operation) << 8 |
                                                 flags << 2 | static_cast<unsigned>(fiber.state)),
                 reinterpret_cast<std::uint64_t>(pending.object));
  g_standing += standing;
}

void fingerprint_operation(Operation operation, const void* object) {
  if (!g_fingerprinting) return;
  Print& history = own_history();
  const Scope scope = scope_of(operation);
  if (scope == Scope::all || g_words_full ||
      is_opaque(reinterpret_cast<std::uint64_t>(g.current->pending.pc)))
    fingerprint_fence();
  history = mix(mix(history, static_cast<unsigned>(operation) + 1), g_era.a);
  if (scope == Scope::outside)
    g_outside = history = mix(history, g_outside);
  else if (scope == Scope::reads || scope == Scope::writes)
    use_word(history, reinterpret_cast<std::uint64_t>(object) / 8, scope == Scope::writes);
}

void fingerprint_words(Operation operation, const void* address, std::size_t size) {
  if (!g_fingerprinting || size == 0) return;
  const auto low = reinterpret_cast<std::uint64_t>(address);
  for (std::uint64_t number = low / 8; number <= (low + size - 1) / 8 && !g_words_full; ++number)
    use_word(own_history(), number, scope_of(operation) == Scope::writes);
}

void fingerprint_range(Operation operation, const void* address, std::size_t size) {
  const auto low = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t first = 8 - low % 8; // bytes of the first word
  if (size > first)
    fingerprint_words(operation, static_cast<const char*>(address) + first,
                      size - static_cast<std::size_t>(first));
}

void fingerprint_value(std::uint64_t value) {
  if (g_fingerprinting) own_history() = mix(own_history(), value);
}

void fingerprint_created(const Fiber& child) {
  if (!g_fingerprinting) return;
  fingerprint_value(child.fs);
  g_history_of[child.id] = mix(own_history(), child.id);
  g_standing_of[child.id] = {};
}

void fingerprint_touch(const Fiber& other) {
  if (!g_fingerprinting) return;
  g_history_of[other.id] = mix(g_history_of[other.id], own_history());
  fingerprint_standing(other);
}

void fingerprint_join(const Fiber& other) {
  if (g_fingerprinting) own_history() = mix(own_history(), g_history_of[other.id]);
}

void fingerprint_fence() {
  if (g_fingerprinting) g_era = mix(mix(mix(g_era, g_standing), own_history()), g.now);
}

StateKey state_key(const Fiber* running, bool leaving_is_free) {
  Print key = mix(g_standing, g_era);
  key = mix(key, g.now);
  key = mix(key, std::uint64_t{g.clock_reads} << 32 | (running == nullptr ? 0u : running->id + 1u) << 1 |
                     (leaving_is_free ? 1u : 0u));
  if (g.spinning != 0)
    for (unsigned id = 0; id < g.fibers; ++id)
      if (g_fibers[id].state == FiberState::live && g_fibers[id].spinning) key = mix(key, id);
  return {key.a, key.b};
}

} // namespace reex
