#include "reex/runtime/order/histories.h"

#include <algorithm>

#include "reex/runtime/core/shared_ranges.h"

namespace reex {
namespace {

constexpr Fingerprint k_start{0x243f6a8885a308d3, 0x13198a2e03707344};
constexpr std::uint64_t k_word_size = 4; // so small that neighbours in an array of counters are distinct

// What a history takes in beside operations.
constexpr std::uint64_t k_fence = 0x13198a2e03707345;
constexpr std::uint64_t k_joined = 0xa4093822299f31d1;
constexpr std::uint64_t k_reads = 0x082efa98ec4e6c8a;
constexpr std::uint64_t k_touch = 0x452821e638d01378;
constexpr std::uint64_t k_sum = 0xbe5466cf34e90c6d;

constexpr unsigned k_further = 0xff; // in the place of an operation: further words of one

// An operation, on a word or on none, as one number: it comes first in its history, so it need not be mixed
// twice.
std::uint64_t number_of(unsigned operation, std::uint64_t word) { return word << 8 | operation; }
unsigned number_of(Operation operation) { return static_cast<unsigned>(operation) + 1; }

} // namespace

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
  case Operation::descriptor_open:
  case Operation::poll:
  case Operation::epoll_control:
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
  case Operation::process_fork:
    return Scope::all;
  default:
    return Scope::writes;
  }
}

Words words_at(const void* address, std::size_t size) {
  const auto low = reinterpret_cast<std::uint64_t>(told_place_of(address));
  return {low / k_word_size, size == 0 ? low / k_word_size : (low + size - 1) / k_word_size};
}

void Histories::begin() {
  ++m_execution;
  m_word_count = 0;
  m_full = false;
  m_outside = m_last_fence = k_start;
  m_standing = m_reached = {};
  m_threads[0] = {.history = k_start, .standing = {}, .reached = {}, .joined = {}, .fence = k_start.a};
  m_of_others = {};
  m_users_of_outside = {};
}

// Neighbours in memory are neighbours in the table, so that an execution touches few pages of it.
unsigned Histories::index_of(std::uint64_t number) {
  constexpr unsigned k_neighbours = 32;
  const std::uint64_t block = (number / k_neighbours * 0x9e3779b97f4a7c15) >> 32;
  return static_cast<unsigned>((block * k_neighbours + number % k_neighbours) % k_words);
}

// Null if no operation was ever on the word.
const Histories::Word* Histories::used_word(std::uint64_t number) const {
  for (unsigned i = index_of(number);; ++i) {
    const Word& word = m_words[i % k_words];
    if (word.execution != m_execution) return nullptr;
    if (word.number == number) return &word;
  }
}

Histories::Word* Histories::word_of(std::uint64_t number) {
  for (unsigned i = index_of(number);; ++i) {
    Word& word = m_words[i % k_words];
    if (word.execution == m_execution) {
      if (word.number == number) return &word;
      continue;
    }
    if (m_word_count == k_most_words) return nullptr;
    ++m_word_count;
    word = {number, m_execution, {}, {}, {}};
    return &word;
  }
}

// `operation`: its number, or k_further.
void Histories::use_word(Fingerprint& history, Dependence& dependence, std::uint32_t self,
                         std::uint64_t number, unsigned operation, bool writes) {
  Word* word = word_of(number);
  if (word == nullptr) {
    m_full = true;
    history = mix(history, operation);
    return;
  }
  dependence.use(self, word->users, writes);
  history = after_use(history, number_of(operation, number), *word, writes);
  if (writes) {
    word->write = history;
    word->reads = {};
  } else {
    word->reads += history;
  }
}

Fingerprint Histories::after_use(Fingerprint history, std::uint64_t number, const Word& word, bool writes) {
  history = mix(history, number, word.write);
  return writes && word.reads.a != 0 ? mix(history, k_reads, word.reads) : history;
}

// All operations since the last fence come after it. The first of them says so for the others.
Fingerprint Histories::after_fence(unsigned slot, Fingerprint history) const {
  return m_threads[slot].fence == m_last_fence.a ? history : mix(history, k_fence, m_last_fence);
}

void Histories::take_in_joined(unsigned slot) {
  m_threads[slot].stays = 0;
  Fingerprint& joined = m_threads[slot].joined;
  if (joined.a == 0) return;
  m_threads[slot].history = mix(m_threads[slot].history, k_joined, joined);
  joined = {};
}

void Histories::stand(unsigned slot, const Standing& standing) {
  const auto object = reinterpret_cast<std::uint64_t>(standing.object);
  Fingerprint& own = m_threads[slot].standing;
  m_standing -= own;
  own = mix(m_threads[slot].history,
            standing.id << 16 | static_cast<unsigned>(standing.operation) << 8 |
                static_cast<unsigned>(standing.flags) << 2 | static_cast<unsigned>(standing.state),
            {object, object});
  m_standing += own;
  Fingerprint& reached = m_threads[slot].reached;
  m_reached -= reached;
  reached = mix(m_threads[slot].history, standing.id);
  m_reached += reached;
}

void Histories::operate(unsigned slot, Dependence& dependence, std::uint32_t self, Operation operation,
                        Words words) {
  take_in_joined(slot);
  Fingerprint& history = m_threads[slot].history;
  history = after_fence(slot, history);
  m_threads[slot].fence = m_last_fence.a;
  const Scope scope = scope_of(operation);
  if (scope == Scope::outside) {
    dependence.use(self, m_users_of_outside, true);
    m_outside = history = mix(history, number_of(operation), m_outside);
  } else if ((scope == Scope::reads || scope == Scope::writes) && !m_full) {
    for (auto [number, last] = words; number <= last && !m_full; ++number)
      use_word(history, dependence, self, number, number_of(operation), scope == Scope::writes);
  } else {
    history = mix(history, number_of(operation));
  }
}

void Histories::use(unsigned slot, Dependence& dependence, std::uint32_t self, Words words, bool writes) {
  m_threads[slot].stays = 0;
  for (auto [number, last] = words; number <= last && !m_full; ++number)
    use_word(m_threads[slot].history, dependence, self, number, k_further, writes);
}

// In a long range, by number.
template <typename Visit>
void Histories::each_used_word(Words words, Visit visit) const {
  static std::uint64_t g_found[k_most_words];
  std::uint64_t* end = g_found;
  for (const Word& word : m_words)
    if (word.execution == m_execution && word.number >= words.first && word.number <= words.last)
      *end++ = word.number;
  std::sort(g_found, end);
  std::for_each(g_found, end, visit);
}

void Histories::leave(unsigned slot, Dependence& dependence, std::uint32_t self, Words words) {
  const std::uint32_t stays = m_threads[slot].stays;
  take_in_joined(slot);
  m_threads[slot].stays = stays + 1; // nothing happens, if none was ever used
  const auto leave_word = [&](std::uint64_t number) {
    use_word(m_threads[slot].history, dependence, self, number, k_further, true);
  };
  if (words.last - words.first >= k_words) return each_used_word(words, leave_word);
  for (auto [number, last] = words; number <= last; ++number)
    if (used_word(number) != nullptr) leave_word(number);
}

void Histories::receive(unsigned slot, std::uint64_t value) {
  take_in_joined(slot);
  m_threads[slot].history = mix(m_threads[slot].history, value);
}

void Histories::create(unsigned slot, unsigned child, std::uint64_t child_id, std::uint64_t value) {
  receive(slot, value);
  m_threads[child].history = mix(m_threads[slot].history, child_id);
  m_threads[child].fence = m_threads[slot].fence;
  m_threads[child].standing = m_threads[child].reached = m_threads[child].joined = {};
  m_threads[child].stays = 0;
}

void Histories::touch(unsigned slot, unsigned other) {
  take_in_joined(other);
  m_threads[other].history = mix(m_threads[other].history, k_touch, m_threads[slot].history);
  ++m_threads[slot].stays;
}

void Histories::join(unsigned slot, unsigned other, bool is_operation) {
  Fingerprint& into = is_operation ? m_threads[slot].history : m_threads[slot].joined;
  into = mix(mix(into, k_sum, m_threads[other].history), k_joined, m_threads[other].joined);
  m_threads[slot].stays = 0;
}

// What it has done belongs to the state when it is gone, too.
void Histories::forget(unsigned slot, std::uint64_t id) { m_of_others += mix(m_threads[slot].history, id); }

void Histories::fence(unsigned slot, std::uint64_t now) {
  take_in_joined(slot);
  m_last_fence = mix(mix(m_last_fence, now, m_reached), k_fence, m_threads[slot].history);
}

void Histories::pass_time(std::uint64_t now) { m_last_fence = mix(m_last_fence, now, m_reached); }

Fingerprint Histories::place(unsigned slot) const {
  return mix(m_threads[slot].history, m_threads[slot].stays, m_threads[slot].joined);
}

Fingerprint Histories::around(std::uint64_t now, std::uint32_t stood, std::uint32_t loop_operations) const {
  const std::uint64_t waits = std::uint64_t{stood} << 32 | loop_operations;
  return mix(m_last_fence, now, {waits, waits});
}

Fingerprint Histories::standing(Fingerprint around) const { return mix(m_standing, k_sum, around); }

Fingerprint Histories::reached(Fingerprint around) const { return mix(m_reached, k_sum, around); }

Fingerprint Histories::final(std::uint64_t (*id_of)(unsigned slot), unsigned slots,
                             Fingerprint around) const {
  Fingerprint histories = m_of_others; // the thread that ran last has stopped behind its operation
  for (unsigned slot = 0; slot < slots; ++slot) histories += mix(m_threads[slot].history, id_of(slot));
  return mix(histories, k_sum, around);
}

bool Histories::reached_after(unsigned slot, std::uint64_t id, Operation operation, Words words,
                              Fingerprint around, Fingerprint& after) {
  const Scope scope = scope_of(operation);
  if (m_full || (scope != Scope::reads && scope != Scope::writes)) return false;
  Fingerprint history = m_threads[slot].history;
  if (m_threads[slot].joined.a != 0) history = mix(history, k_joined, m_threads[slot].joined);
  history = after_fence(slot, history);
  for (auto [number, last] = words; number <= last; ++number) { // as use_word(), but changes nothing
    const Word* word = word_of(number);
    if (word == nullptr) return false;
    history = after_use(history, number_of(number_of(operation), number), *word, scope == Scope::writes);
  }
  Fingerprint histories = m_reached;
  histories -= m_threads[slot].reached;
  histories += mix(history, id);
  after = mix(histories, k_sum, around);
  return true;
}

} // namespace reex
