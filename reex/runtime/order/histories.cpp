#include "reex/runtime/order/histories.h"

#include <algorithm>

namespace reex {
namespace {

constexpr Fingerprint k_start{0x243f6a8885a308d3, 0x13198a2e03707344};
constexpr std::uint64_t k_word_size = 4; // so small that neighbours in an array of counters are distinct

std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) {
  __extension__ const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

Fingerprint mix(Fingerprint print, Fingerprint other) { return mix(mix(print, other.a), other.b); }

} // namespace

Fingerprint mix(Fingerprint print, std::uint64_t value) {
  return {folded_product(print.a ^ value, 0x9e3779b97f4a7c15),
          folded_product(print.b ^ (value << 32 | value >> 32), 0xd1342543de82ef95)};
}

Fingerprint with_clock(Fingerprint key, std::uint64_t now, std::uint32_t stood,
                       std::uint32_t loop_operations) {
  return mix(mix(mix(key, now), stood), loop_operations);
}

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

Words words_at(const void* address, std::size_t size) {
  const auto low = reinterpret_cast<std::uint64_t>(address);
  return {low / k_word_size, size == 0 ? low / k_word_size : (low + size - 1) / k_word_size};
}

void Histories::begin() {
  ++m_execution;
  m_word_count = 0;
  m_full = false;
  m_outside = m_last_fence = m_history_of[0] = k_start;
  m_standing = m_standing_of[0] = m_reached = m_reached_of[0] = m_joined_by[0] = {};
  m_stays[0] = 0;
  m_of_others = {};
  m_users_of_outside = {};
}

// Null if no operation was ever on the word.
const Histories::Word* Histories::used_word(std::uint64_t number) const {
  for (std::uint64_t i = number * 0x9e3779b97f4a7c15 >> 49;; ++i) {
    const Word& word = m_words[i % k_words];
    if (word.execution != m_execution) return nullptr;
    if (word.number == number) return &word;
  }
}

Histories::Word* Histories::word_of(std::uint64_t number) {
  for (std::uint64_t i = number * 0x9e3779b97f4a7c15 >> 49;; ++i) {
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

Fingerprint Histories::after_operation(Fingerprint history, Operation operation) const {
  return mix(mix(history, static_cast<unsigned>(operation) + 1), m_last_fence.a);
}

void Histories::use_word(Fingerprint& history, Dependence& dependence, std::uint32_t self,
                         std::uint64_t number, bool writes) {
  Word* word = word_of(number);
  if (word == nullptr) {
    m_full = true;
    return;
  }
  dependence.use(self, word->users, writes);
  history = mix(mix(history, number), word->write);
  if (writes) {
    history = mix(history, word->reads);
    word->write = history;
    word->reads = {};
  } else {
    word->reads += history;
  }
}

void Histories::take_in_joined(unsigned slot) {
  m_stays[slot] = 0;
  Fingerprint& joined = m_joined_by[slot];
  if (joined.a == 0) return;
  m_history_of[slot] = mix(m_history_of[slot], joined);
  joined = {};
}

void Histories::stand(unsigned slot, const Standing& standing) {
  Fingerprint& own = m_standing_of[slot];
  m_standing -= own;
  own = mix(mix(m_history_of[slot], standing.id << 16 | static_cast<unsigned>(standing.operation) << 8 |
                                        static_cast<unsigned>(standing.flags) << 2 |
                                        static_cast<unsigned>(standing.state)),
            reinterpret_cast<std::uint64_t>(standing.object));
  m_standing += own;
  Fingerprint& reached = m_reached_of[slot];
  m_reached -= reached;
  reached = mix(m_history_of[slot], standing.id);
  m_reached += reached;
}

void Histories::operate(unsigned slot, Dependence& dependence, std::uint32_t self, Operation operation,
                        Words words) {
  take_in_joined(slot);
  Fingerprint& history = m_history_of[slot];
  history = after_operation(history, operation);
  const Scope scope = scope_of(operation);
  if (scope == Scope::outside) {
    dependence.use(self, m_users_of_outside, true);
    m_outside = history = mix(history, m_outside);
  } else if (scope == Scope::reads || scope == Scope::writes) {
    for (auto [number, last] = words; number <= last && !m_full; ++number)
      use_word(history, dependence, self, number, scope == Scope::writes);
  }
}

void Histories::use(unsigned slot, Dependence& dependence, std::uint32_t self, Words words, bool writes) {
  m_stays[slot] = 0;
  for (auto [number, last] = words; number <= last && !m_full; ++number)
    use_word(m_history_of[slot], dependence, self, number, writes);
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
  const std::uint32_t stays = m_stays[slot];
  take_in_joined(slot);
  m_stays[slot] = stays + 1; // nothing happens, if none was ever used
  const auto leave_word = [&](std::uint64_t number) {
    use_word(m_history_of[slot], dependence, self, number, true);
  };
  if (words.last - words.first >= k_words) return each_used_word(words, leave_word);
  for (auto [number, last] = words; number <= last; ++number)
    if (used_word(number) != nullptr) leave_word(number);
}

void Histories::receive(unsigned slot, std::uint64_t value) {
  take_in_joined(slot);
  m_history_of[slot] = mix(m_history_of[slot], value);
}

void Histories::create(unsigned slot, unsigned child, std::uint64_t child_id, std::uint64_t value) {
  receive(slot, value);
  m_history_of[child] = mix(m_history_of[slot], child_id);
  m_standing_of[child] = m_reached_of[child] = m_joined_by[child] = {};
  m_stays[child] = 0;
}

void Histories::touch(unsigned slot, unsigned other) {
  take_in_joined(other);
  m_history_of[other] = mix(m_history_of[other], m_history_of[slot]);
  ++m_stays[slot];
}

void Histories::join(unsigned slot, unsigned other, bool may_fail) {
  Fingerprint& into = may_fail ? m_history_of[slot] : m_joined_by[slot];
  into = mix(mix(into, m_history_of[other]), m_joined_by[other]);
  m_stays[slot] = 0;
}

// What it has done belongs to the state when it is gone, too.
void Histories::forget(unsigned slot, std::uint64_t id) { m_of_others += mix(m_history_of[slot], id); }

void Histories::fence(unsigned slot, std::uint64_t now) {
  take_in_joined(slot);
  m_last_fence = mix(mix(mix(m_last_fence, m_standing), m_history_of[slot]), now);
}

void Histories::pass_time(std::uint64_t now) { m_last_fence = mix(mix(m_last_fence, m_standing), now); }

Fingerprint Histories::place(unsigned slot) const {
  return mix(mix(m_history_of[slot], m_joined_by[slot]), m_stays[slot]);
}

Fingerprint Histories::standing() const { return mix(m_standing, m_last_fence); }

Fingerprint Histories::reached() const { return mix(m_reached, m_last_fence); }

Fingerprint Histories::final(std::uint64_t (*id_of)(unsigned slot), unsigned slots) const {
  Fingerprint histories = m_of_others; // the thread that ran last has stopped behind its operation
  for (unsigned slot = 0; slot < slots; ++slot) histories += mix(m_history_of[slot], id_of(slot));
  return mix(histories, m_last_fence);
}

bool Histories::reached_after(unsigned slot, std::uint64_t id, Operation operation, Words words,
                              Fingerprint& after) {
  const Scope scope = scope_of(operation);
  if (m_full || (scope != Scope::reads && scope != Scope::writes)) return false;
  Fingerprint history = m_history_of[slot];
  if (m_joined_by[slot].a != 0) history = mix(history, m_joined_by[slot]);
  history = after_operation(history, operation);
  for (auto [number, last] = words; number <= last; ++number) { // as use_word(), but changes nothing
    const Word* word = word_of(number);
    if (word == nullptr) return false;
    history = mix(mix(history, number), word->write);
    if (scope == Scope::writes) history = mix(history, word->reads);
  }
  Fingerprint histories = m_reached;
  histories -= m_reached_of[slot];
  histories += mix(history, id);
  after = mix(histories, m_last_fence);
  return true;
}

} // namespace reex
