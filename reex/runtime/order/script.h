// The script of a test: what each thread does next, as a function of its history. Executions write it, and
// the foresight (schedule/foresight.h) follows schedules in it without executing them.
//
// A thread is deterministic: it does the same each time it comes to a place with the same history. So its way
// is a chain of acts. An act is all that the scheduler and the fingerprint see of the thread: that it comes
// to an operation, that it creates a thread, takes a lock, receives an address. Its key is the thread's place
// (Histories::place).
//
// What does not follow from the history is *dark*, and the foresight ends there: operations that are ordered
// with everything, deadlines, spins, and operations whose condition the foresight does not know. Once an
// execution has done something that is ordered with everything, it adds nothing to the script.
//
// Callers: note_act, the fingerprint on the running fiber; the rest, the
// controller.
//
// Invariants: an act that differs from what the script says contradicts it. Then the search starts over
// without foresight.
//
// Cost: one look-up for each act. The table takes 16 MB, of which only what is used is touched.
#pragma once

#include <cstdint>

#include "reex/runtime/order/histories.h"

namespace reex {

enum class ActKind : std::uint8_t {
  dark,    // nobody knows
  stand,   // the thread comes to an operation
  end,     // it ends
  join,    // it joins `thread`, and waits for its end if need be
  operate, // it executes an operation inside of another one
  use,     // it uses further words
  leave,   // it leaves frames
  receive, // it receives a value
  create,  // it creates `thread`
  touch,   // it wakes `thread`, which has `flags` from then on
  gate,    // it opens or closes an object: a lock, a semaphore, the guard of an initialization
  choose,  // it lets the search choose among a few
  ask,     // it asks whether it is alone
};

struct Act {
  ActKind kind = ActKind::dark;
  Operation operation = Operation::none;
  std::uint8_t flags = 0;      // of the pending operation; choose: ChoiceKind; use: whether it writes
  std::uint8_t bits = 0;       // stand: match bits
  std::uint16_t thread = 0;    // by number; choose: how many
  std::uint16_t size = 0;      // stand: of the object, if more than a word
  std::uint64_t value[2] = {}; // object, its gate's state; or words, value; choose: four candidates in each

  bool operator==(const Act& other) const {
    return kind == other.kind && operation == other.operation && flags == other.flags && bits == other.bits &&
           thread == other.thread && size == other.size && value[0] == other.value[0] &&
           value[1] == other.value[1];
  }
};

// Of the flags of a pending operation.
inline constexpr std::uint8_t k_timed_out = 1;
inline constexpr std::uint8_t k_notified = 2;
inline constexpr std::uint8_t k_interrupted = 4;
inline constexpr std::uint8_t k_slept = 8;
inline constexpr std::uint8_t k_may_lock_again =
    0x80; // in a stand: it locks a mutex that its owner may lock again

inline constexpr unsigned k_most_chosen_from = 8;

// The environment variable REEX_FORESIGHT, for tests. off: there is no script. check: every schedule is
// executed, also one that is cut short in memory, and an execution that differs from what was foreseen ends
// the run.
enum class ForesightUse : std::uint8_t { unknown, on, off, check };
ForesightUse foresight_use();

extern bool g_noting; // this execution adds to the script
// What following schedules has brought so far.
enum class ScriptUse : std::uint8_t {
  grows,  // every execution adds to the script
  rests,  // little: most executions add nothing
  sleeps, // little, and few executions are made in vain that could be saved: none adds anything
};
extern ScriptUse g_script_use;

// A new execution. Forgets the script if it is one of another round.
void begin_script();
void note_act(Fingerprint place, const Act& act);
// The place will be noted soon. Its entry is far away, for the most part.
void fetch_act_ahead(Fingerprint place);

// Null: not known.
const Act* act_at(Fingerprint place);
// A child's number depends on what others have created: each number is another place.
inline Fingerprint place_of_creation(Fingerprint place, std::uint64_t child) { return mix(place, ~child); }
// Whether there is a script to follow.
bool has_script();
// An execution has contradicted the script, or has gone another way than was foreseen: there is none any
// more, and the search starts over.
void distrust_script();

} // namespace reex
