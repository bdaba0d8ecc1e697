// All of these variables belong to one execution. A restore leaves them alone; begin_fingerprint and
// fingerprint_created reset what the new execution uses, and an entry of g_words with another execution's
// number is free.
#include "reex/runtime/order/fingerprint.h"

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/dependence.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"

namespace reex {

bool g_fingerprinting = false;

namespace {

struct Fingerprint {
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  void operator+=(Fingerprint other) {
    a += other.a;
    b += other.b;
  }
  void operator-=(Fingerprint other) {
    a -= other.a;
    b -= other.b;
  }
};

constexpr Fingerprint k_start{0x243f6a8885a308d3, 0x13198a2e03707344};

std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) {
  __extension__ const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

Fingerprint mix(Fingerprint print, std::uint64_t value) {
  return {folded_product(print.a ^ value, 0x9e3779b97f4a7c15),
          folded_product(print.b ^ (value << 32 | value >> 32), 0xd1342543de82ef95)};
}

Fingerprint mix(Fingerprint print, Fingerprint other) { return mix(mix(print, other.a), other.b); }

constexpr std::uint64_t k_word_size = 4; // so small that neighbours in an array of counters are distinct

// The last operations on a word.
struct Word {
  std::uint64_t number;    // address / k_word_size
  std::uint32_t execution; // if it is not g_execution, the entry is free
  Fingerprint write;       // the last write
  Fingerprint reads;       // sum of the reads since this write
  Users users;
};

constexpr unsigned k_words = 1u << 15;
constexpr unsigned k_most_words = k_words / 4 * 3;

Word g_words[k_words];
unsigned g_word_count = 0;
bool g_words_full = false;
Fingerprint g_outside; // the last operation of Scope::outside
Users g_users_of_outside;
Fingerprint g_last_fence; // the last fence
Fingerprint g_standing;   // sum over the threads of g_standing_of
Fingerprint g_reached;    // sum over the threads of g_reached_of, which have no pending operations
Fingerprint g_of_others;  // sum over the threads whose slots were used again: of their last histories
Fingerprint g_history_of[k_max_threads]; // this and what follows: by slot
Fingerprint g_standing_of[k_max_threads];
Fingerprint g_reached_of[k_max_threads];
Fingerprint g_joined_by[k_max_threads]; // what the thread has taken in by joins since its last operation
std::size_t g_extent_of[k_max_threads];

Fingerprint& own_history() { return g_history_of[g.current->slot]; }

// Null if no operation was ever on the word.
const Word* used_word(std::uint64_t number) {
  for (std::uint64_t i = number * 0x9e3779b97f4a7c15 >> 49;; ++i) {
    const Word& word = g_words[i % k_words];
    if (word.execution != g_execution) return nullptr;
    if (word.number == number) return &word;
  }
}

Word* word_of(std::uint64_t number) {
  for (std::uint64_t i = number * 0x9e3779b97f4a7c15 >> 49;; ++i) {
    Word& word = g_words[i % k_words];
    if (word.execution == g_execution) {
      if (word.number == number) return &word;
      continue;
    }
    if (g_word_count == k_most_words) return nullptr;
    ++g_word_count;
    word = {number, g_execution, {}, {}, {}};
    return &word;
  }
}

// The operations on which an operation depends, beyond its own thread's.
enum class Scope : std::uint8_t {
  thread,  // none
  reads,   // the writes to its object
  writes,  // all operations on its object
  outside, // all operations of this scope: output, descriptors, children
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
  case Operation::library_read:
    return Scope::reads;
  case Operation::stream:
  case Operation::descriptor_write:
  case Operation::channel_read:
  case Operation::channel_write:
  case Operation::channel_accept:
  case Operation::channel_connect:
  case Operation::channel_bind:
  case Operation::channel_listen:
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

Fingerprint after_operation(Fingerprint history, Operation operation) {
  return mix(mix(history, static_cast<unsigned>(operation) + 1), g_last_fence.a);
}

void use_word(Fingerprint& history, std::uint64_t number, bool writes) {
  Word* word = word_of(number);
  if (word == nullptr) {
    g_words_full = true;
    return;
  }
  depend_by_use(word->users, writes);
  history = mix(mix(history, number), word->write);
  if (writes) {
    history = mix(history, word->reads);
    word->write = history;
    word->reads = {};
  } else {
    word->reads += history;
  }
}

bool may_fail(const Fiber& joiner) { return joiner.pending.deadline != k_never; }

struct Words {
  std::uint64_t first;
  std::uint64_t last;
};

Words words_of(const Fiber& fiber, const void* object) {
  const auto low = reinterpret_cast<std::uint64_t>(object);
  const std::size_t size = g_extent_of[fiber.slot];
  return {low / k_word_size, size == 0 ? low / k_word_size : (low + size - 1) / k_word_size};
}

// Computes what use_word() would make of the history, and changes nothing.
Fingerprint with_word(Fingerprint history, std::uint64_t number, bool writes) {
  const Word* word = word_of(number);
  if (word == nullptr) return {};
  history = mix(mix(history, number), word->write);
  return writes ? mix(history, word->reads) : history;
}

void take_in_joined(unsigned slot) {
  Fingerprint& joined = g_joined_by[slot];
  if (joined.a == 0) return;
  g_history_of[slot] = mix(g_history_of[slot], joined);
  joined = {};
}

// What the future depends on beside the threads' histories.
Fingerprint with_time(Fingerprint key) {
  key = mix(mix(mix(key, g_time.now), g_time.stood), g.loop_operations);
  if (!g_time.waited) return key;
  key = mix(key, g_time.timer_slices);
  for (const Fiber* fiber : alive())
    if (fiber->slices != 0) key = mix(key, std::uint64_t{fiber->slices} << 32 | fiber->id);
  return key;
}

StateKey reached_key(Fingerprint histories) {
  const Fingerprint key = with_time(mix(histories, g_last_fence));
  return {key.a != 0 ? key.a : 1, key.b};
}

bool is_wanted() {
  const RunConfig& config = g.control->config;
  if (config.search.reduction == Reduction::none || g.detail || !search().learning()) return false;
  if (search().is_refuted()) return false;
  if (config.search.reduction == Reduction::automatic && (!g.in_place || has_unseen_code())) return false;
  return g_instrumented && (config.accesses == VisibleAccesses::all ||
                            (config.accesses == VisibleAccesses::racy && config.races));
}

} // namespace

void begin_fingerprint() {
  g_fingerprinting = is_wanted();
  if (!g_fingerprinting) return;
  g_word_count = 0;
  g_words_full = false;
  g_outside = g_last_fence = g_history_of[0] = k_start;
  g_standing = g_standing_of[0] = g_reached = g_reached_of[0] = g_joined_by[0] = {};
  g_extent_of[0] = 0;
  g_of_others = {};
  g_users_of_outside = {};
  begin_dependence();
}

void stop_fingerprinting() {
  g.shared->status.unseen_code = true;
  depend_on_all();
  if (g.control->config.search.reduction == Reduction::automatic) g_fingerprinting = false;
}

void fingerprint_standing(const Fiber& fiber) {
  if (!g_fingerprinting) return;
  const Pending& pending = fiber.pending;
  if (pending.deadline != k_never) depend_on_all();
  const unsigned flags =
      pending.timed_out | pending.notified << 1 | pending.interrupted << 2 | pending.slept << 3;
  Fingerprint& standing = g_standing_of[fiber.slot];
  g_standing -= standing;
  standing =
      mix(mix(g_history_of[fiber.slot], fiber.id << 16 | static_cast<unsigned>(pending.operation) << 8 |
                                            flags << 2 | static_cast<unsigned>(fiber.state)),
          reinterpret_cast<std::uint64_t>(pending.object));
  g_standing += standing;
  Fingerprint& reached = g_reached_of[fiber.slot];
  g_reached -= reached;
  reached = mix(g_history_of[fiber.slot], fiber.id);
  g_reached += reached;
}

void fingerprint_operation(Operation operation, const void* object) {
  // It makes no difference whether a thread had to wait for the thread that it joins: fingerprint_join adds
  // what it takes in. A join that may fail counts as an operation.
  if (!g_fingerprinting || (operation == Operation::thread_join && !may_fail(*g.current))) return;
  take_in_joined(g.current->slot);
  Fingerprint& history = own_history();
  const Scope scope = scope_of(operation);
  if (scope == Scope::all || g_words_full ||
      is_opaque(reinterpret_cast<std::uint64_t>(g.current->pending.pc)))
    fingerprint_fence();
  history = after_operation(history, operation);
  if (scope == Scope::outside) {
    depend_by_use(g_users_of_outside, true);
    g_outside = history = mix(history, g_outside);
  } else if (scope == Scope::reads || scope == Scope::writes) {
    for (auto [number, last] = words_of(*g.current, object); number <= last && !g_words_full; ++number)
      use_word(history, number, scope == Scope::writes);
  }
  g_extent_of[g.current->slot] = 0;
}

void fingerprint_words(Operation operation, const void* address, std::size_t size) {
  if (!g_fingerprinting || size == 0) return;
  const auto low = reinterpret_cast<std::uint64_t>(address);
  for (std::uint64_t number = low / k_word_size; number <= (low + size - 1) / k_word_size && !g_words_full;
       ++number)
    use_word(own_history(), number, scope_of(operation) == Scope::writes);
}

void fingerprint_left(std::uintptr_t low, std::uintptr_t high) {
  if (!g_fingerprinting) return;
  take_in_joined(g.current->slot);
  for (std::uint64_t number = low / k_word_size; number <= (high - 1) / k_word_size; ++number)
    if (used_word(number) != nullptr) use_word(own_history(), number, true);
}

void fingerprint_extent(std::size_t size) {
  if (g_fingerprinting) g_extent_of[g.current->slot] = size;
}

void fingerprint_value(std::uint64_t value) {
  if (!g_fingerprinting) return;
  take_in_joined(g.current->slot);
  own_history() = mix(own_history(), value);
}

// Its last standing stays in the sums: what a thread has done belongs to the state when it is gone, too.
void fingerprint_reuse(const Fiber& gone) {
  if (!g_fingerprinting) return;
  if (gone.detached) depend_on_all(); // it may have ended before or after this
  g_of_others += mix(g_history_of[gone.slot], gone.id);
}

void fingerprint_created(const Fiber& child) {
  if (!g_fingerprinting) return;
  note_child(child);
  fingerprint_value(child.fs);
  g_history_of[child.slot] = mix(own_history(), child.id);
  g_standing_of[child.slot] = g_reached_of[child.slot] = g_joined_by[child.slot] = {};
  g_extent_of[child.slot] = 0;
}

void fingerprint_touch(const Fiber& other) {
  if (!g_fingerprinting) return;
  depend_on(other);
  take_in_joined(other.slot);
  g_history_of[other.slot] = mix(g_history_of[other.slot], own_history());
  fingerprint_standing(other);
}

void fingerprint_join(const Fiber& other) {
  if (!g_fingerprinting) return;
  note_ended(other);
  if (may_fail(*g.current)) depend_on(other);
  Fingerprint& into = may_fail(*g.current) ? own_history() : g_joined_by[g.current->slot];
  into = mix(mix(into, g_history_of[other.slot]), g_joined_by[other.slot]);
}

void fingerprint_fence() {
  if (!g_fingerprinting) return;
  depend_on_all();
  take_in_joined(g.current->slot);
  g_last_fence = mix(mix(mix(g_last_fence, g_standing), own_history()), g_time.now);
}

void fingerprint_time() {
  if (!g_fingerprinting) return;
  depend_on_all();
  g_last_fence = mix(mix(g_last_fence, g_standing), g_time.now);
}

StateKey state_key() {
  Fingerprint key = with_time(mix(g_standing, g_last_fence));
  if (g.spinning == 0 && g.woken == 0) return {key.a, key.b};
  for (const Fiber* each : alive()) {
    const Fiber& fiber = *each;
    const std::uint64_t id = fiber.id;
    if (fiber.spinning) key = mix(key, id << 8 | static_cast<unsigned>(fiber.loop));
    if (fiber.waker != k_nobody) key = mix(key, (std::uint64_t{fiber.waker} + 1) << 32 | id << 8);
  }
  return {key.a, key.b};
}

StateKey key_of_step(StateKey state, const Fiber& fiber) {
  const Fingerprint key = mix(Fingerprint{state.a, state.b}, fiber.id);
  return {key.a != 0 ? key.a : 1, key.b};
}

StateKey reached_key() { return g.spinning == 0 && g.woken == 0 ? reached_key(g_reached) : StateKey{}; }

StateKey final_key() {
  if (!g_fingerprinting) return {};
  Fingerprint histories = g_of_others; // the thread that ran last has stopped behind its operation
  for (unsigned slot = 0; slot < g.fibers; ++slot) histories += mix(g_history_of[slot], g_fibers[slot].id);
  return reached_key(histories);
}

StateKey reached_key_after(const Fiber& fiber) {
  const Pending& pending = fiber.pending;
  const Scope scope = scope_of(pending.operation);
  if (g.spinning != 0 || g.woken != 0 || pending.deadline != k_never || g_words_full ||
      (scope != Scope::reads && scope != Scope::writes) || has_signal(fiber) ||
      is_opaque(reinterpret_cast<std::uint64_t>(pending.pc)))
    return {};
  Fingerprint history = g_history_of[fiber.slot];
  if (g_joined_by[fiber.slot].a != 0) history = mix(history, g_joined_by[fiber.slot]);
  history = after_operation(history, pending.operation);
  for (auto [number, last] = words_of(fiber, pending.object); number <= last; ++number) {
    history = with_word(history, number, scope == Scope::writes);
    if (history.a == 0) return {};
  }
  Fingerprint histories = g_reached;
  histories -= g_reached_of[fiber.slot];
  histories += mix(history, fiber.id);
  return reached_key(histories);
}

} // namespace reex
