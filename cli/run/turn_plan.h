// Which test of a binary has the next turn, and for how long.
//
// With a budget, each has an equal part of it, or of half of it where there is a change. What is left when
// all had their turn goes to those that want more, in passes: first to those that were stopped short of the
// bound, and of these, three quarters to those in which the change takes part. Where it is not known in which
// it does, half of a pass goes to find out.
//
// Without a budget, the turns of each pass are twice as long as those before: no test waits until another one
// is through.
//
// Callers: explore_tests.cpp. No call blocks, but for what `go_on` does.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace reex {

class TurnPlan {
public:
  using Time = std::chrono::steady_clock::time_point;
  using Clock = std::function<Time()>;

  // `tests`: their number. `passes`: there is more than one turn for each, so that the first need not be all.
  TurnPlan(std::size_t tests, bool passes, std::optional<Time> deadline,
           Clock clock = std::chrono::steady_clock::now);

  // The first turns begin. `by_change`: it may turn out that the change takes part in some tests only.
  void begin(bool by_change);
  // The end of the next first turn, with `left` of them to come. nullopt: it has none.
  std::optional<Time> end_of_first_turn(std::size_t left) const;

  // Whether the change takes part in a test, once that is known.
  void note(std::size_t test, bool takes_part) { m_takes_part[test] = takes_part; }

  // The test that had a turn has more to explore. `is_short`: of the bound.
  void wants_more(std::size_t test, bool is_short) { m_waiting.push_back({test, is_short}); }

  // Whether somebody wants more, and there is time for it.
  bool goes_on() const { return !m_waiting.empty() && is_time_left(); }

  // Gives turns to those that want more: `go_on` explores the test until then, and returns false if no other
  // is to have a turn. `by_change`: the order of the change is known.
  void pass(bool by_change, const std::function<bool(std::size_t, Time)>& go_on);

private:
  struct Waiting {
    std::size_t test;
    bool is_short;
  };

  Time end_of_pass();
  bool is_time_left() const;
  std::vector<Waiting> take(const std::function<bool(const Waiting&)>& is_taken);
  void give_turns(const std::vector<Waiting>& turns, Time end, std::chrono::milliseconds least);

  bool m_passes;
  std::optional<Time> m_deadline;
  Clock m_clock;
  std::optional<Time> m_end_of_first;            // of all first turns
  std::chrono::milliseconds m_turn{2000};        // without a budget
  std::vector<std::optional<bool>> m_takes_part; // nullopt: not known
  std::vector<Waiting> m_waiting;
  const std::function<bool(std::size_t, Time)>* m_go_on = nullptr; // during a pass
  bool m_is_over = false;
};

// The time at which the next test must end: it gets `share` of the `left` parts of what is left. With equal
// parts, `left` is the number of tests.
std::optional<TurnPlan::Time> share_of_budget(std::optional<TurnPlan::Time> deadline, TurnPlan::Time now,
                                              std::size_t left, std::size_t share = 1);

} // namespace reex
