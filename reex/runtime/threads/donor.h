// Donors: threads that glibc created and whose kernel task has ended. Their stack, thread control block and
// thread-local storage remain. glibc knows them, and a fiber uses them as its own.
//
// Callers: make_donors and require_stack, the zygote before it forks a worker; take_donor and release_donor,
// the running fiber; the others, the controller.
//
// Invariants: a donor serves at most one fiber at a time. Its thread-local storage is fresh when a fiber
// takes it. A restore brings the storage back (restore_donors) and leaves stacks alone. A new worker has the
// donors of its zygote, all unused. The last one stays unused: it shows what glibc has done to all of them
// since.
//
// Cost: one copy of the thread-local storage for each donor that was used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

struct Fiber;

inline constexpr unsigned k_max_donors = 2 * k_max_threads; // with those whose stacks are too small

struct Donor {
  std::uint64_t fs = 0;  // address of the thread control block; also the pthread_t
  char* guard = nullptr; // one page below the stack
  char* stack_low = nullptr;
  char* stack_high = nullptr;   // fibers start here; thread-local storage lies above it
  char* end = nullptr;          // end of the mapping
  void** shadow = nullptr;      // room for the shadow stack
  std::uint32_t* tid = nullptr; // in the thread control block; null: not found
  Fiber* user = nullptr;        // the fiber that has it, or had it last in this execution
  std::uint16_t user_id = 0;    // that thread's number: its slot may have been given to another one
  bool taken = false;
  bool dirty = false; // used since the last restore: its thread-local storage must be restored
};

// Of the calling thread of the system. From now on the kernel does not write into its thread control block on
// which processor it runs (rseq): memory that changes by itself would tell one execution from another.
void hide_processor();

// The zygote, before it forks a worker: so that so many are usable. False: the system refuses more threads.
bool make_donors(unsigned usable);
// From now on, make_donors makes stacks of at least so many bytes. Older donors with smaller stacks are not
// used any more.
void require_stack(std::size_t bytes);
std::size_t donor_stack_size();
unsigned donor_count();   // all that were ever made
unsigned usable_donors(); // those with stacks of the size that is now required, but for one
Donor& donor(unsigned index);
Donor* donor_at(std::uintptr_t address); // whose stack or storage has the address; null: no donor's

// A stack and fresh storage for a fiber; null if all donors are taken.
Donor* take_donor();
// In a process that the test forked, where nobody makes donors beforehand: one more. Null: the system
// refuses.
Donor* take_new_donor();
void release_donor(Fiber& fiber);

// snapshot_donors saves an image of every donor's storage, in a new worker before its first execution.
// restore_donors restores the storage of the used ones.
void snapshot_donors();
void restore_donors();

} // namespace reex
