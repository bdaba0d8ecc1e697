// Strategy auto: four members take turns in one search. Of four executions in a row, one is the next schedule
// of the frontier, in the order of icb, and one each is the next sample of surw, random and pos. A failure is
// found after at most four times as many executions as the best of them needs, as long as this one draws as
// it does alone: surw, which learns from its first sample only, may not, and none does where another one has
// found a race that makes more operations visible. The claims are those of the frontier.
//
// A schedule of the frontier that is cut short as equivalent has shown nothing new and has been executed in
// part. It takes no turn, so that icb does not fall back where the reduction cuts much. But where more than
// three are cut for each that ends, samples shall not wait for them: four together have a turn.
//
// A turn is the number of an execution in this order, from 1, without those that take none. With several
// workers, the frontier's executions are not made in the order of exploration. So the turn of a frontier's
// schedule is calculated when it matters: from the number of those that come before it
// (Search::turn_of_this). What is reported is what comes first by turns, and so is the same for any number of
// workers.
//
// The first execution is the frontier's. The first one of each round is made alone (Search::next). surw
// learns from its first sample alone, and its next ones wait for that. So a sample is the same whoever draws
// it.
//
// Callers: Search. Freestanding.
#pragma once

#include <cstdint>

#include "reex/search/strategy.h"

namespace reex {

inline constexpr std::uint64_t k_members = 4;
inline constexpr std::uint64_t k_sampling_members = k_members - 1;

// A sample: the `number`-th of its member, from 1.
struct SampleTurn {
  SearchStrategy member;
  std::uint64_t number;
  std::uint64_t turn;
};

// Schedules of the frontier.
struct FrontierCount {
  std::uint64_t ended = 0; // or under way
  std::uint64_t cut = 0;   // short

  // How many turns they have had.
  constexpr std::uint64_t turns() const {
    constexpr std::uint64_t k_together = 4;
    const std::uint64_t together = (ended + cut) / k_together;
    return ended > together ? ended : together;
  }
};

// The sample that comes after so many.
constexpr SampleTurn sample_after(std::uint64_t samples) {
  constexpr SearchStrategy k_member[k_sampling_members] = {SearchStrategy::surw, SearchStrategy::random,
                                                           SearchStrategy::pos};
  const std::uint64_t whole = samples / k_sampling_members;
  const std::uint64_t rest = samples % k_sampling_members;
  return {k_member[rest], whole + 1, k_members * whole + rest + 2};
}

// The turn of the frontier's schedule that comes after so many.
constexpr std::uint64_t frontier_turn_after(std::uint64_t turns) { return k_members * turns + 1; }
constexpr std::uint64_t frontier_turn_after(const FrontierCount& schedules) {
  return frontier_turn_after(schedules.turns());
}

// How many of each have a turn up to this one.
constexpr std::uint64_t frontier_turns_until(std::uint64_t turn) { return (turn + 3) / k_members; }
constexpr std::uint64_t samples_until(std::uint64_t turn) { return turn - frontier_turns_until(turn); }

} // namespace reex
