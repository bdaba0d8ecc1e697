// Puts events and a schedule into small programs. Most of the schedules can be satisfied in some executions
// and hold others for ever.
#include <algorithm>

#include "tests/model/draw.h"
#include "tests/model/generator.h"
#include "tests/model/model.h"

namespace reex::model {
namespace {

constexpr std::size_t k_most_states = 40'000;
constexpr std::uint64_t k_most_schedules = 6'000;

class Scheduler {
public:
  Scheduler(std::uint64_t seed, Program program) : m_random(seed), m_program(std::move(program)) {}

  Program build() {
    const int events = m_random.between(2, 5);
    for (int event : shuffled(events)) insert(event);
    for (int left = m_random.between(1, 3); left > 0; --left) order(events);
    for (auto& body : m_program.threads) resolve_jumps(body);
    return std::move(m_program);
  }

private:
  std::vector<int> shuffled(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) numbers[static_cast<std::size_t>(i)] = i;
    for (std::size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[static_cast<std::size_t>(m_random.below(static_cast<int>(i)))]);
    return numbers;
  }

  // At any place that no loop repeats; between the branches of an `if`, the event may be missing.
  void insert(int event) {
    auto& body =
        m_program
            .threads[static_cast<std::size_t>(m_random.below(static_cast<int>(m_program.threads.size())))];
    std::vector<std::size_t> places;
    std::vector<OpCode> open;
    for (std::size_t i = 0; i <= body.size(); ++i) {
      const bool repeats =
          std::any_of(open.begin(), open.end(), [](OpCode code) { return code != OpCode::if_; });
      // Natively and under reex, the schedule begins with the first thread.
      const bool before_threads = &body == &m_program.threads[0] && !created_before(body, i);
      if (!repeats && !before_threads) places.push_back(i);
      if (i == body.size()) break;
      const OpCode code = body[i].code;
      if (code == OpCode::loop || code == OpCode::if_ || code == OpCode::while_) open.push_back(code);
      if (code == OpCode::end) open.pop_back();
    }
    if (places.empty()) return;
    const std::size_t place =
        places[static_cast<std::size_t>(m_random.below(static_cast<int>(places.size())))];
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(place), make(OpCode::event, {event}));
  }

  static bool created_before(const std::vector<Op>& body, std::size_t end) {
    return std::any_of(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const Op& op) { return op.code == OpCode::create; });
  }

  // An event waits for events with lower numbers, so the orderings are no cycle. What the threads do may be.
  void order(int events) {
    Ordering ordering{m_random.between(1, events - 1), {}};
    for (int left = m_random.chance(30) ? 2 : 1; left > 0; --left) {
      std::vector<Atom> all;
      for (int atoms = m_random.chance(30) ? 2 : 1; atoms > 0; --atoms)
        all.push_back({m_random.below(ordering.event), m_random.chance(50)});
      ordering.alternatives.push_back(std::move(all));
    }
    m_program.orderings.push_back(std::move(ordering));
  }

  Random m_random;
  Program m_program;
};

bool is_interesting(Random& random, const Outcomes& outcomes) {
  const bool stuck = outcomes.contains(k_stuck);
  const bool satisfied = outcomes.contains(k_satisfied);
  if (stuck && satisfied) return true;
  return random.chance(satisfied ? 40 : 15);
}

} // namespace

Program generate_events(std::uint64_t seed) {
  Random random(seed * 7919);
  GeneratorLimits limits;
  limits.max_schedules = 400;
  limits.min_schedules = 4;
  for (;;) {
    Program program = Scheduler(random.next(), generate(seed * 1000 + random.next() % 1000, limits)).build();
    try {
      Reading abort_point; // an outcome that depends on this reading would prove nothing
      abort_point.abort_is_a_point = true;
      Reading one_deadline;
      one_deadline.wake_one_of_a_deadline = true;
      const Outcomes outcomes = explore(program, {}, k_most_states);
      std::uint64_t schedules = 0;
      for (const std::uint64_t count : count_schedules(program, {}, k_most_states)) schedules += count;
      if (schedules <= k_most_schedules && is_interesting(random, outcomes) &&
          outcomes == explore(program, abort_point, k_most_states) &&
          outcomes == explore(program, one_deadline, k_most_states))
        return program;
    } catch (const TooLarge&) {
    }
  }
}

} // namespace reex::model
