// How many schedules are left, at each bound of preemptions (Knuth, "Estimating the efficiency of backtrack
// programs", 1975; the weighted backtrack estimator of Kilby, Slaney, Thiebaux and Walsh, "Estimating search
// tree size", AAAI 2006):
//
//   1. The schedules with at most b preemptions are the leaves of a tree. Its root has the share 1; at a
//   choice
//      a node's share is divided among the alternatives that b allows.
//   2. The share of a leaf is the product along its execution. N leaves executed with shares that add up to S
//      stand for N / S in all. When none is left, S is 1 and the answer exact.
//   3. Knuth divides equally. Here an alternative gets what its subtree is expected to hold: of c preemptions
//      left and r choices to come that cost one, about C(r + c, c) schedules, so that going on gets r / (r +
//      c) and the others the rest. r is taken from the length of the first execution.
//   4. What the frontier holds is the least that is left.
//
// An execution that was cut short because an equivalent one was explored is a leaf like any other; what is
// left is in executions, of both kinds.
//
// Freestanding, in shared memory. Cost: a division for each bound at each choice, no memory of the tree.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_estimated_bounds = 8; // 0, 1, 2, ... and last the one that is explored
inline constexpr std::uint32_t k_measured_choices = 1u << 20;

// A choice as the estimate sees it.
struct Branching {
  std::uint32_t alternatives; // two or more
  bool costs;                 // leaving the first of them is a preemption
  bool left;                  // it was left
};

// Of the execution under way.
struct PathShare {
  double share[k_estimated_bounds] = {1, 1, 1, 1, 1, 1, 1, 1};
  double known[k_estimated_bounds] = {}; // of the alternatives that were explored elsewhere
  std::uint32_t choices = 0;
  std::uint32_t costly = 0; // those where a preemption was possible
};

struct EstimateState {
  bool measured = false;    // the first execution has ended
  std::uint32_t length = 0; // its choices where a preemption was possible
  std::uint64_t executed[k_estimated_bounds] = {};
  double explored[k_estimated_bounds] = {};       // the shares of those
  std::uint64_t pending[k_estimated_bounds] = {}; // in the frontier, by preemptions; last: all others
  Branching first[k_measured_choices];            // of the first execution, whose length is not known before
};

// What there is to say about one bound.
struct BoundEstimate {
  std::uint32_t bound;    // k_no_bound: none
  std::uint64_t executed; // with at most so many preemptions
  double left;            // exact when 0; negative: too many to tell
};

// `preemptions` before the choice; `bound` is the one explored.
void estimate_choice(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions,
                     const Branching& choice);
// One of its alternatives is explored elsewhere; before estimate_choice.
void estimate_known(const EstimateState& state, PathShare& path, std::uint32_t bound,
                    std::uint32_t preemptions, const Branching& choice);
// The execution ended; `preemptions` of all of it.
void estimate_end(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions);

// A schedule joins the frontier, or leaves it.
void estimate_pending(EstimateState& state, std::uint32_t preemptions, int change);

void forget_estimate(EstimateState& state);

// Fills `estimates`, lowest bound first; how many. `in_flight`: a schedule is being executed.
unsigned read_estimates(const EstimateState& state, std::uint32_t bound, bool in_flight,
                        BoundEstimate (&estimates)[k_estimated_bounds]);

} // namespace reex
