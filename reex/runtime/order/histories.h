// The histories of the threads of an execution, as hashes: the computation behind the fingerprint
// (fingerprint.h says what the hashes mean). The execution under way has one object of this kind; what is
// followed in memory (schedule/foresight.h) has another, and both compute the same.
//
// Callers: the fingerprint and the foresight. Threads are named by their slots.
//
// Cost: about 10 ns for each operation. An object takes 2.5 MB, of which only what is used is touched.
#pragma once

#include <cstdint>

#include "reex/runtime/core/fiber.h"
#include "reex/runtime/order/dependence.h"
#include "reex/search/seen.h"

namespace reex {

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
  bool operator==(const Fingerprint& other) const { return a == other.a && b == other.b; }
};

// Two numbers, as one. A product with a factor 0 forgets the other factor; that a hash makes one is as
// unlikely as that two hashes are equal.
inline std::uint64_t folded_product(std::uint64_t x, std::uint64_t y) {
  __extension__ const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Adds a number and a hash. The two halves of a hash are hashes of their own: each takes in the same half of
// the other hash. `print` is not all zero, or `value` is large.
inline Fingerprint mix(Fingerprint print, std::uint64_t value, Fingerprint other) {
  return {folded_product(print.a ^ value, other.a ^ 0x9e3779b97f4a7c15),
          folded_product(print.b ^ (value << 32 | value >> 32), other.b ^ 0xd1342543de82ef95)};
}
inline Fingerprint mix(Fingerprint print, std::uint64_t value) { return mix(print, value, {}); }

// The operations on which an operation depends, beyond its own thread's.
enum class Scope : std::uint8_t {
  thread,  // none
  reads,   // the writes to its object
  writes,  // all operations on its object
  outside, // all operations of this scope: output, descriptors, children
  all,
};

Scope scope_of(Operation operation);

// Some bytes, as numbers of words of four bytes.
struct Words {
  std::uint64_t first;
  std::uint64_t last;
};

Words words_at(const void* address, std::size_t size); // at least one

// Where a thread stands: its pending operation, or its end.
struct Standing {
  std::uint64_t id = 0;
  const void* object = nullptr;
  Operation operation = Operation::none;
  std::uint8_t flags = 0; // of the pending operation
  FiberState state = FiberState::live;
};

class Histories {
public:
  void begin(); // a new execution, with main alone

  void stand(unsigned slot, const Standing& standing);
  // The thread executes an operation, with its object's words. Not of Scope::all.
  void operate(unsigned slot, Dependence& dependence, std::uint32_t self, Operation operation, Words words);
  // It uses further words, in the same operation.
  void use(unsigned slot, Dependence& dependence, std::uint32_t self, Words words, bool writes);
  // It writes all words of these that were ever used.
  void leave(unsigned slot, Dependence& dependence, std::uint32_t self, Words words);
  void receive(unsigned slot, std::uint64_t value);
  void create(unsigned slot, unsigned child, std::uint64_t child_id, std::uint64_t value);
  void touch(unsigned slot, unsigned other); // the other one is to stand anew
  void join(unsigned slot, unsigned other, bool is_operation);
  void forget(unsigned slot, std::uint64_t id); // the slot is to be used again
  // Ordered with everything.
  void fence(unsigned slot, std::uint64_t now);
  void pass_time(std::uint64_t now);

  // No more words can be told apart: every operation is ordered with everything from now on.
  bool is_full() const { return m_full; }
  // Where the thread is on its way: what it does next is a function of this, as long as nothing was ordered
  // with everything. stay() makes it another place although nothing has happened to the history.
  Fingerprint place(unsigned slot) const;
  void stay(unsigned slot) { ++m_threads[slot].stays; }
  // The thread asks whether it is alone, and does one thing or the other.
  void ask(unsigned slot, bool alone) { m_threads[slot].stays += alone ? 1u << 16 : 1; }

  // What the future depends on beside the histories: the last fence, and the clock.
  Fingerprint around(std::uint64_t now, std::uint32_t stood, std::uint32_t loop_operations) const;
  Fingerprint standing(Fingerprint around) const; // of all threads: the state
  Fingerprint reached(Fingerprint around) const;  // the state without pending operations
  Fingerprint final(std::uint64_t (*id_of)(unsigned slot), unsigned slots, Fingerprint around) const;
  // reached(), after the thread will have executed its pending operation. False: this is not known before.
  bool reached_after(unsigned slot, std::uint64_t id, Operation operation, Words words, Fingerprint around,
                     Fingerprint& after);

private:
  struct alignas(64) Word {      // the last operations on it
    std::uint64_t number = 0;    // address / 4
    std::uint64_t execution = 0; // if it is not m_execution, the entry is free
    Fingerprint write;           // the last write
    Fingerprint reads;           // sum of the reads since this write
    Users users;
  };
  struct Thread {
    Fingerprint history;
    Fingerprint standing;    // with the pending operation
    Fingerprint reached;     // without
    Fingerprint joined;      // what it has taken in by joins since its last operation
    std::uint64_t fence = 0; // the last fence that the history knows
    std::uint32_t stays = 0;
  };
  static constexpr unsigned k_words = 1u << 15;
  static constexpr unsigned k_most_words = k_words / 4 * 3;

  static unsigned index_of(std::uint64_t number);
  const Word* used_word(std::uint64_t number) const;
  Word* word_of(std::uint64_t number);
  template <typename Visit>
  void each_used_word(Words words, Visit visit) const;
  void use_word(Fingerprint& history, Dependence& dependence, std::uint32_t self, std::uint64_t number,
                unsigned operation, bool writes);
  static Fingerprint after_use(Fingerprint history, std::uint64_t number, const Word& word, bool writes);
  Fingerprint after_fence(unsigned slot, Fingerprint history) const;
  void take_in_joined(unsigned slot);

  std::uint64_t m_execution = 0;
  unsigned m_word_count = 0;
  bool m_full = false;
  Fingerprint m_outside; // the last operation of Scope::outside
  Users m_users_of_outside;
  Fingerprint m_last_fence; // the last fence
  Fingerprint m_standing;   // sum over the threads
  Fingerprint m_reached;    // sum over the threads
  Fingerprint m_of_others;  // sum over the threads whose slots were used again: of their last histories
  Thread m_threads[k_max_threads]; // by slot
  Word m_words[k_words];
};

} // namespace reex
