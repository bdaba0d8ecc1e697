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

Fingerprint mix(Fingerprint print, std::uint64_t value);
// With what the future depends on beside the histories.
Fingerprint with_clock(Fingerprint key, std::uint64_t now, std::uint32_t stood,
                       std::uint32_t loop_operations);

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
  void join(unsigned slot, unsigned other, bool may_fail);
  void forget(unsigned slot, std::uint64_t id); // the slot is to be used again
  // Ordered with everything.
  void fence(unsigned slot, std::uint64_t now);
  void pass_time(std::uint64_t now);

  // No more words can be told apart: every operation is ordered with everything from now on.
  bool is_full() const { return m_full; }
  // Where the thread is on its way: what it does next is a function of this, as long as nothing was ordered
  // with everything. stay() makes it another place although nothing has happened to the history.
  Fingerprint place(unsigned slot) const;
  void stay(unsigned slot) { ++m_stays[slot]; }
  // The thread asks whether it is alone, and does one thing or the other.
  void ask(unsigned slot, bool alone) { m_stays[slot] += alone ? 1u << 16 : 1; }

  Fingerprint standing() const; // of all threads: the state
  Fingerprint reached() const;  // the state without pending operations
  Fingerprint final(std::uint64_t (*id_of)(unsigned slot), unsigned slots) const;
  // reached(), after the thread will have executed its pending operation. False: this is not known before.
  bool reached_after(unsigned slot, std::uint64_t id, Operation operation, Words words, Fingerprint& after);

private:
  struct Word {                  // the last operations on it
    std::uint64_t number = 0;    // address / 4
    std::uint64_t execution = 0; // if it is not m_execution, the entry is free
    Fingerprint write;           // the last write
    Fingerprint reads;           // sum of the reads since this write
    Users users;
  };
  static constexpr unsigned k_words = 1u << 15;
  static constexpr unsigned k_most_words = k_words / 4 * 3;

  const Word* used_word(std::uint64_t number) const;
  Word* word_of(std::uint64_t number);
  template <typename Visit>
  void each_used_word(Words words, Visit visit) const;
  void use_word(Fingerprint& history, Dependence& dependence, std::uint32_t self, std::uint64_t number,
                bool writes);
  Fingerprint after_operation(Fingerprint history, Operation operation) const;
  void take_in_joined(unsigned slot);

  std::uint64_t m_execution = 0;
  unsigned m_word_count = 0;
  bool m_full = false;
  Fingerprint m_outside; // the last operation of Scope::outside
  Users m_users_of_outside;
  Fingerprint m_last_fence; // the last fence
  Fingerprint m_standing;   // sum over the threads of m_standing_of
  Fingerprint m_reached;    // sum over the threads of m_reached_of, which have no pending operations
  Fingerprint m_of_others;  // sum over the threads whose slots were used again: of their last histories
  Fingerprint m_history_of[k_max_threads]; // this and what follows: by slot
  Fingerprint m_standing_of[k_max_threads];
  Fingerprint m_reached_of[k_max_threads];
  Fingerprint m_joined_by[k_max_threads]; // what the thread has taken in by joins since its last operation
  std::uint32_t m_stays[k_max_threads] = {};
  Word m_words[k_words];
};

} // namespace reex
