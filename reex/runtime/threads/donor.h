// Donors: real threads of glibc whose kernel task is gone. What stays - stack, thread control block,
// thread-local storage - is known to glibc and serves a fiber as its own. They are made in the zygote, before
// any worker is forked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reex {

struct Fiber;

inline constexpr unsigned k_max_donors = 256;

struct Donor {
  std::uint64_t fs = 0;  // thread control block; also its pthread_t
  char* guard = nullptr; // one page below the stack
  char* stack_low = nullptr;
  char* stack_high = nullptr; // fibers start here; thread-local storage lies above
  char* end = nullptr;        // of the mapping
  void** shadow = nullptr;    // room for return addresses
  bool taken = false;
  bool dirty = false; // used since the last restore: thread-local storage must be brought back
};

// The zygote, before forking workers. False: the system refuses more threads.
bool make_donors(unsigned total);
// Donors made from now on have stacks of at least so many bytes; those made before serve no more.
void require_stack(std::size_t bytes);
std::size_t donor_stack_size();
unsigned donor_count();   // all that were ever made
unsigned usable_donors(); // with stacks of the size now required
Donor& donor(unsigned index);

// A fiber's stack and storage, storage fresh; null if all are taken.
Donor* take_donor();
void release_donor(Fiber& fiber);

// Keeps an image of every donor's storage (after the fork, before the first execution), and brings used ones
// back.
void snapshot_donors();
void restore_donors();

} // namespace reex
