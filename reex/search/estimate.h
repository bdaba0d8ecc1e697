// An estimate of how many schedules are left, for each bound of preemptions:
//
// 1. The schedules with at most b preemptions are the leaves of a tree. The root has the share 1. At a
//    choice, the share of a node is divided among the alternatives that b allows.
// 2. The share of a leaf is the product along its execution. If N executed leaves have shares that add up to
//    S, there are about N / S leaves in all. When none is left, S is 1 and the answer is exact.
// 3. Knuth divides equally. Here an alternative gets what its subtree is expected to hold. With c preemptions
//    left and r choices to come that cost a preemption, a subtree holds about C(r + c, c) schedules. So the
//    alternative without a preemption gets r / (r + c), and the others share the rest. r is taken from the
//    length of the first execution.
// 4. At least the schedules in the frontier are left.
//
// An execution that was cut short, because an equivalent one was explored, is a leaf like any other. The
// estimate counts executions of both kinds.
//
// Callers: the search, in the process that works with it. Freestanding, in shared memory.
//
// Cost: one division for each bound at each choice; no memory for the tree.
//
// Source: Knuth, "Estimating the efficiency of backtrack programs", 1975; the weighted backtrack estimator of
// Kilby, Slaney, Thiebaux and Walsh, "Estimating search tree size", AAAI 2006.
#pragma once

#include <cstdint>

namespace reex {

inline constexpr unsigned k_estimated_bounds = 8; // 0, 1, 2, ..., and last the bound that is explored
inline constexpr std::uint32_t k_measured_choices = 1u << 20;

// A choice, as the estimate needs it.
struct Branching {
  std::uint32_t alternatives; // two or more
  bool costs;                 // taking another alternative than the first is a preemption
  bool left;                  // the execution took another alternative than the first
};

// About the execution under way.
struct PathShare {
  double share[k_estimated_bounds] = {1, 1, 1, 1, 1, 1, 1, 1};
  double known[k_estimated_bounds] = {}; // shares of alternatives that other schedules explore
  std::uint32_t choices = 0;
  std::uint32_t costly = 0; // choices where a preemption was possible
};

struct EstimateState {
  bool measured = false;    // the first execution has ended
  std::uint32_t length = 0; // number of its choices where a preemption was possible
  std::uint64_t executed[k_estimated_bounds] = {};
  double explored[k_estimated_bounds] = {};       // sum of the shares of these executions
  std::uint64_t pending[k_estimated_bounds] = {}; // in the frontier, by preemptions; last: all others
  Branching first[k_measured_choices];            // of the first execution, until its length is known
};

// The estimate for one bound.
struct BoundEstimate {
  std::uint32_t bound;    // k_no_bound: no bound
  std::uint64_t executed; // executions with at most so many preemptions
  double left;            // exact if 0; negative: too many for an estimate
};

// `preemptions`: before the choice. `bound`: the one that is explored.
void estimate_choice(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions,
                     const Branching& choice);
// Another schedule explores one of the alternatives. To be called before estimate_choice.
void estimate_known(const EstimateState& state, PathShare& path, std::uint32_t bound,
                    std::uint32_t preemptions, const Branching& choice);
// The execution has ended, with `preemptions` in all.
void estimate_end(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions);

// A schedule joins the frontier (1) or leaves it (-1).
void estimate_pending(EstimateState& state, std::uint32_t preemptions, int change);

void forget_estimate(EstimateState& state);

// Fills `estimates`, lowest bound first, and returns how many there are. `in_flight`: a schedule is being
// executed.
unsigned read_estimates(const EstimateState& state, std::uint32_t bound, bool in_flight,
                        BoundEstimate (&estimates)[k_estimated_bounds]);

} // namespace reex
