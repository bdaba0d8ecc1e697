// partitionPrioritized and matchICPs of the CAPP algorithm, over transitions whose match bits are known; and
// the same for several heuristics together.
//
// Callers: any; freestanding. The search calls it inside the test, at every choice of a thread.
//
// Cost: one test of a mask for each transition.
//
// Source: dissertation, section 4.2.2, Figure 4.2, lines 32-56.
#pragma once

#include <cstdint>

#include "heuristics/match_bits.h"

namespace reex {

// One heuristic.
struct MatchRule {
  PrioritizationMode mode = PrioritizationMode::basic;
  std::uint8_t mask = 0; // the MatchBit that makes a transition impacted

  bool operator==(const MatchRule&) const = default;
};

inline constexpr unsigned k_most_rules = 4;

// What a search is ordered by: Basic, one heuristic, or several together. Of several, each one that keeps all
// choices of a schedule puts this schedule into the CAPP iteration. This is our addition.
struct Prioritization {
  MatchRule rule[k_most_rules] = {};
  std::uint8_t others : 4 = 0; // rules behind the first one; so memory of zeros is Basic
  bool keeps_idle : 1 = false; // also the rules that have put off nothing in the first execution

  unsigned count() const { return others + 1U; }
  bool is_basic() const { return rule[0].mode == PrioritizationMode::basic; }
  std::uint8_t all() const { return static_cast<std::uint8_t>((1U << count()) - 1); } // the rules, as a mask
  // The match bits that count.
  std::uint8_t match_mask() const {
    unsigned mask = 0;
    for (unsigned i = 0; i < count(); ++i) mask |= rule[i].mask;
    return static_cast<std::uint8_t>(mask);
  }

  bool operator==(const Prioritization&) const = default;
};

constexpr Prioritization prioritize_by(PrioritizationMode mode, std::uint8_t mask) {
  return {.rule = {{mode, mask}}, .others = 0};
}

// Decides which transitions stay in this CAPP iteration (toExplore). The others go to the next one
// (nextToExplore).
// - bits: the match bits of the `count` enabled transitions in default order: the current thread first if it
//   is enabled, then ascending thread ids. The caller has removed the transitions beyond the bound (line 23).
// - current: whether the first transition is the current thread's.
// - keep: the result. keep[i] says that transition i is prioritized; at least one is.
inline void partition_prioritized(MatchRule rule, const std::uint8_t* bits, unsigned count, bool current,
                                  bool* keep) {
  const auto [mode, mask] = rule;
  for (unsigned i = 0; i < count; ++i) keep[i] = true;
  if (mode == PrioritizationMode::basic) return; // line 33
  if (!current) return;                          // line 34: no preemption possible

  unsigned impacted = 0; // line 35
  for (unsigned i = 0; i < count; ++i) impacted += (bits[i] & mask) != 0;

  if (mode == PrioritizationMode::all) { // lines 36-37
    if (impacted == count) return;
    unsigned picked =
        0; // pickOne(trans - impacted): the current thread if it is one of them, else the lowest id
    while ((bits[picked] & mask) != 0) ++picked;
    for (unsigned i = 0; i < count; ++i) keep[i] = i == picked;
  } else if (impacted == 0) { // lines 38-39
    for (unsigned i = 0; i < count; ++i) keep[i] = i == 0;
  }
}

} // namespace reex
