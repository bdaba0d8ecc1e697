// Threads that have nothing to do with each other: at a choice, those that share nothing with the thread of
// rank 0, directly or through others, are no alternatives. docs/semantics.md, "Reduction", has the rule (rule
// 5) and the proof.
//
// The threads of a test form parts. Two threads are in the same part if both have used an object, one of them
// has written it, and neither use was ordered before the other by the creation or the join of threads; or if
// they create or join threads; and so on, transitively. The runtime tells what it sees, in every execution
// that explores (runtime/order/dependence.h). What depends on everything makes all threads one part.
//
// At a choice, the part of the thread of rank 0 takes in more: the part of each thread that one of its
// threads waits for in a join, and that of main, which creates threads, if one of its threads is yet to be
// created. For these are the ways in which others can let a thread of the part go on.
//
// Alternatives are left out only of threads that an execution has shown whole. If the first execution shows
// that many of its alternatives are apart, the search starts over at once. It also does when parts are joined
// after something was left out. A search whose threads all share something is as it would be without this.
//
// Callers: depend and depend_on_all, the running fiber or the controller; the rest, Search. Freestanding, in
// shared memory.
//
// Invariants: parts only grow. A worker may be killed while it joins two parts: then a thread may miss others
// of its part, but not those of the execution that was lost with the worker.
//
// Cost: a few instructions at each choice.
//
// Source: persistent sets (Godefroid, 1996), with what dynamic partial-order reduction (Flanagan and
// Godefroid, POPL 2005) learns of the accesses instead of a static analysis; the costs are ours.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_apart_threads = 64; // by number; tests with more are one part

inline constexpr std::uint64_t thread_bit(std::uint32_t thread) { return std::uint64_t{1} << thread; }

struct ApartState {
  std::uint64_t part[k_apart_threads]; // the threads of each thread's part, without itself
  std::uint64_t left_out;              // alternatives, in this round
  std::uint32_t whole;                 // the threads from 0 that an execution has shown whole
  bool one;                            // all threads are one part
  bool starts_over;                    // parts were joined after something was left out
};

} // namespace reex
