// What the model says about a program, and how a claim of the explorer differs from it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/model/model.h"

namespace reex::model {

// How a program is explored.
struct Configuration {
  std::string strategy = "icb";
  std::optional<unsigned> bound; // nullopt: no bound
  std::string isolation = "restore";
  std::string reduction = "none";
  unsigned audit = 1; // all that the reduction leaves out is executed all the same
  unsigned jobs = 1;
  unsigned shards = 1; // they run one after another, and reex merge joins them
  std::uint64_t seed = 0;
  unsigned slice = 500;       // operations of a time slice
  unsigned patience = 0;      // slices in which time stands still
  bool spurious = false;      // threads wake up spuriously
  std::uint64_t samples = 0;  // executions of a strategy that samples; 0: the strategy is exhaustive
  std::string heuristic = {}; // goes by a change of the interpreter; "": there is no change
};

// What a run says about a bound.
struct ClaimedEstimate {
  std::uint64_t executed = 0;
  std::optional<double> left;
};

// What a run says that it found.
struct Claim {
  std::string command;        // can be pasted into a shell
  std::uint64_t followed = 0; // in memory alone
  std::uint64_t pruned = 0;
  std::string error; // why the run gave no report; "" otherwise
  Outcomes outcomes;
  std::map<Outcome, std::uint64_t> counts; // of each outcome
  std::uint64_t schedules = 0;
  std::uint64_t counted = 0; // sum over the outcomes
  std::optional<unsigned> bound_completed;
  bool exhausted = false;
  std::string schedule;                    // its verdict; "": none was in force
  std::uint64_t stuck = 0;                 // executions
  std::map<std::string, std::string> gaps; // effects by kind
  std::vector<ClaimedEstimate> estimate;   // lowest bound first
};

// Make one object for all runs of a program. The program must outlive it.
class Truth {
public:
  // `spins`: threads wait in loops (generate_spins). Such a program has no number of schedules. To leave a
  // thread that spins is free, and the model does not know it: an outcome may have fewer preemptions.
  // `slice`: operations of a time slice; 0: none. `patience`: slices in which time stands still. `spurious`:
  // threads wake up spuriously; such a program has no number of schedules either.
  explicit Truth(const Program& program, bool spins = false, int slice = 0, int patience = 0,
                 bool spurious = false);

  const Outcomes& outcomes() const { return m_outcomes; }
  std::uint64_t schedules_within(std::optional<unsigned> bound) const;

  // "" if the claim is right, else one line for each difference. If `counts` is set, the number of schedules
  // must also be equal to the model's, as it is for an exploration without reduction.
  std::string differences(const Claim& claim, const Configuration& configuration, bool counts) const;

private:
  void check_schedule(std::ostream& out, const Claim& claim, const Configuration& configuration) const;
  void check_spins(std::ostream& out, const Claim& claim, const Configuration& configuration) const;
  void check_sample(std::ostream& out, const Claim& claim, const Configuration& configuration) const;
  void name_reading(std::ostream& out, const Claim& claim, const Configuration& configuration) const;
  void check_completion(std::ostream& out, const Claim& claim, const Configuration& configuration) const;
  void check_counts(std::ostream& out, const Claim& claim, const Configuration& configuration) const;

  const Program& m_program;
  bool m_spins;
  // Of a program with a schedule: the fewest preemptions of an execution that is stuck, that satisfies it.
  std::optional<unsigned> m_stuck, m_satisfied;
  Outcomes m_outcomes;
  std::vector<std::uint64_t> m_schedules; // by preemptions
};

} // namespace reex::model
