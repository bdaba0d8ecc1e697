#include "reex/search/estimate.h"

#include <algorithm>

namespace reex {
namespace {

constexpr unsigned k_last = k_estimated_bounds - 1;

std::uint32_t bound_of(unsigned index, std::uint32_t explored) { return index == k_last ? explored : index; }

// An execution that is longer than the first one always has some choices to come.
std::uint32_t choices_to_come(const EstimateState& state, std::uint32_t costly) {
  const std::uint32_t least = 1 + state.length / 4;
  return state.length > costly + least ? state.length - costly : least;
}

// What the alternative without a preemption gets of its parent's share.
constexpr double share_of_first(double to_come, double preemptions_left) {
  return to_come / (to_come + preemptions_left);
}

// The same where two threads can run, which is the usual choice: divisions take long.
constexpr std::uint32_t k_divided = 64;
struct Divided {
  double share[k_divided][k_estimated_bounds]; // by choices to come, and by preemptions left
};
constexpr Divided k_of_two = [] {
  Divided of_two{};
  for (std::uint32_t to_come = 1; to_come < k_divided; ++to_come)
    for (std::uint32_t left = 0; left < k_estimated_bounds; ++left)
      of_two.share[to_come][left] = share_of_first(to_come, std::min(left, to_come));
  return of_two;
}();

// Steps 1 and 3.
void divide(const EstimateState& state, double (&shares)[k_estimated_bounds], std::uint32_t costly,
            std::uint32_t bound, std::uint32_t preemptions, const Branching& choice) {
  if (!choice.costs) {
    for (double& share : shares) share /= choice.alternatives;
    return;
  }
  const std::uint32_t to_come = choices_to_come(state, costly);
  const bool is_usual = !choice.left && choice.alternatives == 2 && to_come < k_divided;
  const double others = choice.alternatives - 1;
  for (unsigned i = 0; i < k_estimated_bounds; ++i) {
    const std::uint32_t most = bound_of(i, bound);
    if (most <= preemptions) continue; // nothing to divide
    const std::uint32_t left = most - preemptions;
    if (is_usual && left < k_estimated_bounds) {
      shares[i] *= k_of_two.share[to_come][left];
      continue;
    }
    const double preemptions_left = std::min<double>(left, to_come * others);
    const double whole = to_come + preemptions_left;
    shares[i] *= choice.left ? preemptions_left / whole / others : share_of_first(to_come, preemptions_left);
  }
}

} // namespace

void estimate_choice(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions,
                     const Branching& choice) {
  if (path.choices >= k_measured_choices) return;
  if (state.measured) {
    divide(state, path.share, path.costly, bound, preemptions, choice);
    path.costly += choice.costs;
  } else {
    state.first[path.choices] = choice;
  }
  ++path.choices;
}

void estimate_known(const EstimateState& state, PathShare& path, std::uint32_t bound,
                    std::uint32_t preemptions, const Branching& choice) {
  if (!state.measured || path.choices >= k_measured_choices) return;
  double shares[k_estimated_bounds];
  std::copy(path.share, path.share + k_estimated_bounds, shares);
  divide(state, shares, path.costly, bound, preemptions, choice);
  for (unsigned i = 0; i < k_estimated_bounds; ++i)
    if (bound_of(i, bound) >= preemptions + (choice.costs && choice.left)) path.known[i] += shares[i];
}

void estimate_end(EstimateState& state, PathShare& path, std::uint32_t bound, std::uint32_t preemptions) {
  if (!state.measured) {
    const Branching* first = state.first;
    const Branching* end = first + std::min(path.choices, k_measured_choices);
    state.length = static_cast<std::uint32_t>(
        std::count_if(first, end, [](const Branching& choice) { return choice.costs; }));
    std::uint32_t so_far = 0;
    for (const Branching* choice = first; choice != end; ++choice) {
      divide(state, path.share, path.costly, bound, so_far, *choice);
      path.costly += choice->costs;
      so_far += choice->costs && choice->left;
    }
    state.measured = true;
  }
  for (unsigned i = 0; i < k_estimated_bounds; ++i) {
    state.explored[i] += path.known[i];
    if (bound_of(i, bound) < preemptions) continue;
    ++state.executed[i];
    state.explored[i] += path.share[i];
  }
}

void estimate_pending(EstimateState& state, std::uint32_t preemptions, int change) {
  state.pending[std::min(preemptions, k_last)] += static_cast<std::uint64_t>(change);
}

void forget_estimate(EstimateState& state) {
  state.measured = false;
  state.length = 0;
  std::fill_n(state.executed, k_estimated_bounds, 0);
  std::fill_n(state.explored, k_estimated_bounds, 0);
  std::fill_n(state.pending, k_estimated_bounds, 0);
}

unsigned read_estimates(const EstimateState& state, std::uint32_t bound, bool in_flight,
                        BoundEstimate (&estimates)[k_estimated_bounds]) {
  if (!state.measured) return 0;
  unsigned count = 0;
  std::uint64_t pending = 0;
  for (unsigned i = 0; i < k_estimated_bounds; ++i) {
    pending += state.pending[i];
    if (i < k_last && i > bound) continue;
    if (i == k_last && bound < k_last) continue;
    BoundEstimate& estimate = estimates[count++];
    estimate = {.bound = bound_of(i, bound), .executed = state.executed[i], .left = 0};
    if (pending == 0 && !in_flight) continue;
    const double done = static_cast<double>(state.executed[i]);
    const double all = done / state.explored[i];
    const bool known = state.explored[i] > 0 && all < 1e300;
    estimate.left = known ? std::max(all - done, static_cast<double>(pending)) : -1; // step 4
  }
  return count;
}

} // namespace reex
