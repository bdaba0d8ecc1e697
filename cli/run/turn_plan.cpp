#include "cli/run/turn_plan.h"

#include <algorithm>
#include <utility>

namespace reex {
namespace {

// A turn that is worth the start of the test. The second is one that only shows where the change takes part.
constexpr std::chrono::milliseconds k_least{500};
constexpr std::chrono::milliseconds k_least_to_know{100};

constexpr int k_part_of_others = 4; // a quarter

} // namespace

std::optional<TurnPlan::Time> share_of_budget(std::optional<TurnPlan::Time> deadline, TurnPlan::Time now,
                                              std::size_t left, std::size_t share) {
  if (!deadline || left == 0 || *deadline <= now) return deadline;
  return now + (*deadline - now) / static_cast<long>(left) * static_cast<long>(share);
}

TurnPlan::TurnPlan(std::size_t tests, bool passes, std::optional<Time> deadline, Clock clock)
    : m_passes(passes), m_deadline(deadline), m_clock(std::move(clock)), m_end_of_first(deadline),
      m_takes_part(tests) {}

// Which tests execute what the change has an impact on shows when each has had a turn: half of the budget is
// kept until then.
void TurnPlan::begin(bool by_change) {
  if (!m_deadline || !by_change || !m_passes) return;
  const Time now = m_clock();
  m_end_of_first = now + (*m_deadline - now) / 2;
}

std::optional<TurnPlan::Time> TurnPlan::end_of_first_turn(std::size_t left) const {
  if (!m_deadline && m_passes) return m_clock() + m_turn;
  return share_of_budget(m_end_of_first, m_clock(), left);
}

bool TurnPlan::is_time_left() const {
  return !m_is_over && (!m_deadline || m_clock() + k_least < *m_deadline);
}

TurnPlan::Time TurnPlan::end_of_pass() {
  if (m_deadline) return *m_deadline;
  m_turn *= 2;
  return m_clock() + m_turn * m_waiting.size();
}

void TurnPlan::pass(bool by_change, const std::function<bool(std::size_t, Time)>& go_on) {
  m_go_on = &go_on;
  const Time end = end_of_pass();
  const auto is_short = [](const Waiting& one) { return one.is_short; };
  const bool some_are_short = std::any_of(m_waiting.begin(), m_waiting.end(), is_short);
  const auto take_those = [&](auto is_taken) {
    return take([&](const Waiting& one) {
      return (one.is_short || !some_are_short) && is_taken(m_takes_part[one.test]);
    });
  };
  if (by_change) {
    const auto unknown = take_those([](std::optional<bool> takes_part) { return !takes_part; });
    give_turns(unknown, end - (end - m_clock()) / 2, k_least_to_know);
  }
  const auto changed = take_those([](std::optional<bool> takes_part) { return takes_part.value_or(true); });
  const auto others = take_those([](std::optional<bool> takes_part) { return !takes_part.value_or(true); });
  give_turns(changed, others.empty() ? end : end - (end - m_clock()) / k_part_of_others, k_least);
  give_turns(others, end, k_least);
  m_go_on = nullptr;
}

std::vector<TurnPlan::Waiting> TurnPlan::take(const std::function<bool(const Waiting&)>& is_taken) {
  const auto first = std::stable_partition(m_waiting.begin(), m_waiting.end(),
                                           [&](const Waiting& one) { return !is_taken(one); });
  const std::vector<Waiting> taken(first, m_waiting.end());
  m_waiting.erase(first, m_waiting.end());
  return taken;
}

// Those that have no turn come first in the next pass.
void TurnPlan::give_turns(const std::vector<Waiting>& turns, Time end, std::chrono::milliseconds least) {
  const auto fitting = std::max<std::ptrdiff_t>(1, (end - m_clock()) / least);
  const auto last = turns.begin() + std::min(static_cast<std::ptrdiff_t>(turns.size()), fitting);
  m_waiting.insert(m_waiting.begin(), last, turns.end());
  for (auto turn = turns.begin(); turn != last; ++turn)
    if (is_time_left())
      m_is_over =
          !(*m_go_on)(turn->test, *share_of_budget(end, m_clock(), static_cast<std::size_t>(last - turn)));
    else
      m_waiting.push_back(*turn);
}

} // namespace reex
