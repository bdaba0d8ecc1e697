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
Reading reading_of(int slice, int patience) {
  return {.abort_is_a_point = slice != 0, .slice = slice, .patience = patience};
}

} // namespace

Truth::Truth(const Program& program, bool spins, int slice, int patience)
    : m_program(program), m_spins(spins), m_outcomes(explore(program, reading_of(slice, patience))),
      m_schedules(spins ? std::vector<std::uint64_t>{}
                        : count_schedules(program, reading_of(slice, patience))) {}

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
  check_completion(out, claim, configuration);
  if (counts) check_counts(out, claim, configuration);
  return out.str();
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
  const bool all = schedules_within(configuration.bound) * k_samples_for_a_schedule <= configuration.samples;
  Outcomes possible;
  for (const auto& [outcome, fewest] : restricted(m_outcomes, configuration)) {
    const auto seen = claim.outcomes.find(outcome);
    if (seen == claim.outcomes.end() && !all) continue;
    possible.emplace(outcome, seen == claim.outcomes.end() ? fewest : std::max(fewest, seen->second));
  }
  if (possible != claim.outcomes) list_differences(out, possible, claim.outcomes);
  if (claim.schedules != configuration.samples || claim.counted != claim.schedules)
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
