#include "tests/model/truth.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace reex::model {
namespace {

std::uint64_t up_to(const std::vector<std::uint64_t>& counts, std::optional<unsigned> bound) {
  const std::size_t end = bound ? std::min<std::size_t>(counts.size(), *bound + 1) : counts.size();
  return std::accumulate(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
}

Outcomes restricted(const Outcomes& outcomes, const Configuration& configuration) {
  return configuration.bound ? within(outcomes, *configuration.bound) : outcomes;
}

std::string line(const Outcome& outcome, unsigned preemptions) {
  Outcomes one;
  one.emplace(outcome, preemptions);
  return to_text(one);
}

void list_differences(std::ostream& out, const Outcomes& expected, const Outcomes& claimed) {
  for (const auto& [outcome, preemptions] : expected) {
    const auto found = claimed.find(outcome);
    if (found == claimed.end()) {
      out << "  not reached:    " << line(outcome, preemptions);
    } else if (found->second != preemptions) {
      out << "  reached with " << found->second << ": " << line(outcome, preemptions);
    }
  }
  for (const auto& [outcome, preemptions] : claimed)
    if (!expected.contains(outcome)) out << "  must not be:    " << line(outcome, preemptions);
}

} // namespace

namespace {

// That a failure is a point of its own makes a difference only where a time slice ends right before it.
Reading reading_of(int slice, int patience, bool spurious) {
  return {.abort_is_a_point = slice != 0, .slice = slice, .patience = patience, .spurious = spurious};
}

} // namespace

Truth::Truth(const Program& program, bool spins, int slice, int patience, bool spurious)
    : m_program(program), m_spins(spins), m_outcomes(explore(program, reading_of(slice, patience, spurious))),
      m_schedules(spins || spurious ? std::vector<std::uint64_t>{}
                                    : count_schedules(program, reading_of(slice, patience, false))) {
  const auto take = [this](const Outcome& mark) -> std::optional<unsigned> {
    const auto found = m_outcomes.find(mark);
    if (found == m_outcomes.end()) return std::nullopt;
    const unsigned preemptions = found->second;
    m_outcomes.erase(found);
    return preemptions;
  };
  m_stuck = take(k_stuck);
  m_satisfied = take(k_satisfied);
}

std::uint64_t Truth::schedules_within(std::optional<unsigned> bound) const {
  return up_to(m_schedules, bound);
}

std::string Truth::differences(const Claim& claim, const Configuration& configuration, bool counts) const {
  if (!claim.error.empty()) return "  " + claim.error + "\n";
  std::ostringstream out;
  if (m_spins) {
    check_spins(out, claim, configuration);
    return out.str();
  }
  if (!m_program.orderings.empty()) check_schedule(out, claim, configuration);
  if (configuration.samples != 0) {
    check_sample(out, claim, configuration);
    return out.str();
  }
  const Outcomes expected = restricted(m_outcomes, configuration);
  if (claim.outcomes != expected) {
    list_differences(out, expected, claim.outcomes);
    name_reading(out, claim, configuration);
  }
  if (claim.counted != claim.schedules)
    out << "  the outcomes' counts add up to " << claim.counted << ", schedules is " << claim.schedules
        << '\n';
  if (claim.schedule != "not-met") check_completion(out, claim, configuration); // else nothing is claimed
  if (counts) check_counts(out, claim, configuration);
  return out.str();
}

// Stuck executions, and the verdict. What is not satisfied is infeasible if nothing is left to explore and
// some executions were stuck.
void Truth::check_schedule(std::ostream& out, const Claim& claim, const Configuration& configuration) const {
  const auto is_within = [&](const std::optional<unsigned>& preemptions) {
    return preemptions && (!configuration.bound || *preemptions <= *configuration.bound);
  };
  if (configuration.samples != 0) {
    if (claim.stuck != 0 && !m_stuck)
      out << "  no execution is stuck, and the claim has " << claim.stuck << '\n';
    if (claim.schedule == "satisfied" && !m_satisfied) out << "  nothing satisfies the schedule\n";
    if (claim.schedule == "infeasible") out << "  a sample claims that the schedule is infeasible\n";
    return;
  }
  if ((claim.stuck != 0) != is_within(m_stuck))
    out << "  " << claim.stuck << " executions are stuck, and " << (is_within(m_stuck) ? "some" : "none")
        << " should be\n";
  const bool may_be_proved = is_within(m_stuck) && configuration.shards == 1;
  const std::string wanted =
      is_within(m_satisfied)                                                               ? "satisfied"
      : may_be_proved && !configuration.bound                                              ? "infeasible"
      : may_be_proved && claim.schedule == "infeasible" && claim.exhausted && !m_satisfied ? "infeasible"
                                                                                           : "not-met";
  if (claim.schedule != wanted)
    out << "  the schedule is " << claim.schedule << ", should be " << wanted << '\n';
}

// No outcome is found that there is not; and no outcome is missing that the bound allows even if leaving a
// thread that spins costs a preemption.
void Truth::check_spins(std::ostream& out, const Claim& claim, const Configuration& configuration) const {
  Outcomes claimed;
  for (const auto& [outcome, preemptions] : claim.outcomes)
    claimed.emplace(outcome.failure == k_livelock.failure ? k_livelock : outcome, preemptions);
  for (const auto& [outcome, preemptions] : claimed)
    if (!m_outcomes.contains(outcome)) out << "  must not be:    " << line(outcome, preemptions);
  if (configuration.samples != 0) return;
  for (const auto& [outcome, preemptions] : restricted(m_outcomes, configuration))
    if (!claimed.contains(outcome)) out << "  not reached:    " << line(outcome, preemptions);
  if (!configuration.bound && !claim.exhausted) out << "  exhausted is false, but there is no bound\n";
}

// A strategy that samples finds only outcomes of the program, and none with too few preemptions. It makes as
// many executions as it should, and claims nothing. If the program has few schedules, it finds every outcome.
void Truth::check_sample(std::ostream& out, const Claim& claim, const Configuration& configuration) const {
  constexpr std::uint64_t k_samples_for_a_schedule = 100;
  const bool all = m_program.orderings.empty() &&
                   schedules_within(configuration.bound) * k_samples_for_a_schedule <= configuration.samples;
  Outcomes possible;
  for (const auto& [outcome, fewest] : restricted(m_outcomes, configuration)) {
    const auto seen = claim.outcomes.find(outcome);
    if (seen == claim.outcomes.end() && !all) continue;
    possible.emplace(outcome, seen == claim.outcomes.end() ? fewest : std::max(fewest, seen->second));
  }
  if (possible != claim.outcomes) list_differences(out, possible, claim.outcomes);
  if (claim.schedules + claim.stuck != configuration.samples || claim.counted != claim.schedules)
    out << "  " << claim.schedules << " schedules and " << claim.counted << " outcomes, asked for "
        << configuration.samples << '\n';
  if (claim.exhausted || claim.bound_completed) out << "  a sample claims a bound\n";
}

// Names the interpretation of the semantics, or the combination of several, under which the claim would be
// right.
void Truth::name_reading(std::ostream& out, const Claim& claim, const Configuration& configuration) const {
  for (unsigned bits = 1; bits < 8; ++bits) {
    Reading reading;
    reading.abort_is_a_point = (bits & 1U) != 0;
    reading.wake_one_of_a_deadline = (bits & 2U) != 0;
    reading.late_start = (bits & 4U) != 0;
    if (restricted(explore(m_program, reading), configuration) != claim.outcomes) continue;
    out << "  as it would be if" << (reading.abort_is_a_point ? " [abort were a choice point]" : "")
        << (reading.wake_one_of_a_deadline ? " [equal deadlines expired one at a time]" : "")
        << (reading.late_start ? " [a new thread ran nothing before it is chosen]" : "") << '\n';
    return;
  }
}

// `exhausted` means that no schedule is left at any bound. If every schedule that is left is equivalent to
// one that was executed, or differs only in where the work of exit was interrupted, the claim may be true or
// false.
void Truth::check_completion(std::ostream& out, const Claim& claim,
                             const Configuration& configuration) const {
  const bool some_left = configuration.bound && within(m_outcomes, *configuration.bound) != m_outcomes;
  if (!configuration.bound && !claim.exhausted) out << "  exhausted is false, but there is no bound\n";
  if (some_left && claim.exhausted) out << "  exhausted is true, but outcomes need more preemptions\n";
  if (!configuration.bound) return;
  const bool full = claim.bound_completed == configuration.bound;
  const bool less =
      claim.exhausted && claim.bound_completed && *claim.bound_completed <= *configuration.bound;
  if (!full && !less)
    out << "  bound_completed is "
        << (claim.bound_completed ? std::to_string(*claim.bound_completed) : std::string("null")) << '\n';
}

void Truth::check_counts(std::ostream& out, const Claim& claim, const Configuration& configuration) const {
  const std::uint64_t expected = schedules_within(configuration.bound);
  if (claim.schedules != expected)
    out << "  " << claim.schedules << " schedules, the model has " << expected << '\n';
}

} // namespace reex::model
