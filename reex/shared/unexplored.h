// Record "unexplored": where executions could have gone on in a way that the search does not try, and what
// happened that it does not control (docs/semantics.md: "Claims"). The worker writes it, in every execution.
#pragma once

#include <cstdint>

#include "reex/shared/limits.h"

namespace reex {

// Accesses of exempted functions at which a thread may be switched. More of them come from a function that
// goes over large memory, and is exempted to be fast.
inline constexpr std::uint32_t k_most_exempted = 1000;

// A set of addresses. Open addressing; 0 is free. When it is nearly full, it may take no more.
struct PlaceSet {
  std::uint64_t place[k_unexplored_places];
};

// A file that an execution opened for reading.
struct SeenFile {
  std::uint64_t name;    // a hash of it; 0 is free
  std::uint64_t content; // a hash of what the first execution that opened it could read
};

struct Unexplored {
  bool weak_atomics;            // an atomic operation weaker than seq_cst was executed
  bool outside;                 // a thread waited for another process: when that acts is not explored
  bool shared_memory;           // a process that the test forked shares memory with it
  bool child_threads;           // such a process had threads of its own: their schedules are not explored
  SeenFile files[k_seen_files]; // open addressing by name; a full table takes no more
  char changed_file[k_changed_file]; // the first file that had another content later; empty: none
  PlaceSet loops;      // return addresses in suspected spins to which another thread has written
  PlaceSet sleeps;     // return addresses of sleeps during which other threads ran
  PlaceSet timed;      // return addresses of timed waits that others have ended, or outrun
  PlaceSet guards;     // return addresses of waits of five seconds or more that others have ended
  PlaceSet stuck;      // and of those that ended by their time alone, where all others waited for ever
  PlaceSet wakes;      // return addresses of waits for a condition that a notification has ended
  PlaceSet clocks;     // of readings of a clock beside other threads, and where timers are set
  PlaceSet processors; // return addresses of questions for the processor beside other threads
  PlaceSet random;     // return addresses of calls that drew random numbers
  PlaceSet loads;      // return addresses of atomic loads that could have returned an older value
  PlaceSet atomics;    // what they load
  PlaceSet exempted;   // accesses of exempted functions at which no thread was switched any more
  // Return addresses of compare-exchanges that failed and would succeed if malloc gave an address again:
  PlaceSet exchanges;
  PlaceSet exchanges_beside_others; // those where another thread has freed it
};

} // namespace reex
