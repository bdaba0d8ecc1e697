// The monitor against a naive model: random schedules, random sequences of events and of blocked threads. The
// model keeps the whole history and evaluates conditions as the definition has it, on trees of its own.
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reex/imunit/monitor.h"

namespace reex::imunit {
namespace {

struct NaiveEvent {
  std::string name;
  std::string thread; // "": any
  unsigned number = 0;

  std::string text() const {
    return name + (number == 0 ? "" : "#" + std::to_string(number)) + (thread.empty() ? "" : "@" + thread);
  }
  bool operator==(const NaiveEvent&) const = default;
};

struct Condition {
  char kind = 'e'; // e, [, &, |
  NaiveEvent event;
  std::unique_ptr<Condition> left, right;

  std::string text() const {
    if (kind == 'e') return event.text();
    if (kind == '[') return "[" + event.text() + "]";
    return "(" + left->text() + (kind == '&' ? " && " : " || ") + right->text() + ")";
  }
};

struct NaiveOrdering {
  std::unique_ptr<Condition> condition;
  NaiveEvent event;
};

struct Happened {
  std::string name;
  std::string thread;
};

using History = std::vector<Happened>;

bool fits(const NaiveEvent& event, const Happened& happened) {
  return event.name == happened.name && (event.thread.empty() || event.thread == happened.thread);
}

// The thread by which the event took place; "" if it did not.
std::string took_place(const NaiveEvent& event, const History& history) {
  unsigned count = 0;
  for (const Happened& each : history)
    if (fits(event, each) && ++count == std::max(1U, event.number)) return each.thread;
  return "";
}

bool naive_holds(const Condition& condition, const History& history, const std::set<std::string>& blocked) {
  switch (condition.kind) {
  case '&':
    return naive_holds(*condition.left, history, blocked) && naive_holds(*condition.right, history, blocked);
  case '|':
    return naive_holds(*condition.left, history, blocked) || naive_holds(*condition.right, history, blocked);
  case '[':
    return blocked.contains(took_place(condition.event, history));
  default:
    return !took_place(condition.event, history).empty();
  }
}

bool naive_may_occur(const std::vector<NaiveOrdering>& orderings, const Happened& next,
                     const History& history, const std::set<std::string>& blocked) {
  History then = history;
  then.push_back(next);
  for (const NaiveOrdering& ordering : orderings) {
    const bool takes_place_now =
        took_place(ordering.event, history).empty() && !took_place(ordering.event, then).empty();
    if (takes_place_now && !naive_holds(*ordering.condition, history, blocked)) return false;
  }
  return true;
}

class Draw {
public:
  explicit Draw(unsigned seed) : m_random(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(m_random() % limit); }

  NaiveEvent event() {
    NaiveEvent event;
    event.name = std::string(1, static_cast<char>('a' + below(4)));
    if (below(3) == 0) event.thread = thread();
    if (below(4) == 0) event.number = 1 + below(3);
    return event;
  }
  std::string thread() { return "t" + std::to_string(below(3)); }
  std::unique_ptr<Condition> condition(unsigned depth) {
    auto made = std::make_unique<Condition>();
    const unsigned kind = below(depth == 0 ? 2 : 5);
    made->kind = kind == 1 ? '[' : kind == 3 ? '&' : kind == 4 ? '|' : 'e';
    made->event = event();
    if (made->kind == '&' || made->kind == '|') {
      made->left = condition(depth - 1);
      made->right = condition(depth - 1);
    }
    return made;
  }
  std::set<std::string> blocked() {
    std::set<std::string> threads;
    for (unsigned i = 0; i < 3; ++i)
      if (below(2) == 0) threads.insert("t" + std::to_string(i));
    return threads;
  }

private:
  std::mt19937 m_random;
};

TEST(Monitor, AgreesWithTheNaiveModel) {
  unsigned schedules = 0;
  unsigned held = 0;
  unsigned let_go = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    Draw draw(seed);
    std::vector<NaiveOrdering> orderings;
    std::string text;
    for (unsigned left = 1 + draw.below(3); left != 0; --left) {
      orderings.push_back({draw.condition(2), draw.event()});
      text += (text.empty() ? "" : ", ") + orderings.back().condition->text() + " -> " +
              orderings.back().event.text();
    }
    Monitor monitor;
    monitor.schedule = parse(text.c_str());
    if (!monitor.schedule.ok()) continue; // a cycle
    ++schedules;
    History history;
    for (unsigned step = 0; step < 12; ++step) {
      const Happened next{std::string(1, static_cast<char>('a' + draw.below(4))), draw.thread()};
      const std::set<std::string> blocked = draw.blocked();
      const auto is_blocked = [&](unsigned event) {
        return blocked.contains("t" + std::to_string(monitor.thread[event]));
      };
      const std::uint64_t issue =
          issue_of(monitor.schedule, EventKind::event, next.name.c_str(), next.thread.c_str());
      const bool may = unmet(monitor, issue, is_blocked) < 0;
      ASSERT_EQ(may, naive_may_occur(orderings, next, history, blocked))
          << text << ": " << next.name << "@" << next.thread << ", step " << step << ", seed " << seed;
      ++(may ? let_go : held);
      if (!may) continue;
      occur(monitor, issue, static_cast<std::uint32_t>(next.thread[1] - '0'), {});
      history.push_back(next);
    }
    bool all = true;
    for (const NaiveOrdering& ordering : orderings) all = all && !took_place(ordering.event, history).empty();
    EXPECT_EQ(is_satisfied(monitor), all && monitor.twice < 0) << text;
  }
  EXPECT_GT(schedules, 10000U);
  EXPECT_GT(held, 10000U);
  EXPECT_GT(let_go, 10000U);
}

Monitor of(const char* text) {
  Monitor monitor;
  monitor.schedule = parse(text);
  return monitor;
}

TEST(Monitor, TwiceWithoutANumber) {
  const auto nobody = [](unsigned) { return false; };
  Monitor plain = of("a->b");
  const std::uint64_t a = issue_of(plain.schedule, EventKind::event, "a", nullptr);
  occur(plain, a, 1, {});
  EXPECT_EQ(plain.twice, -1);
  occur(plain, a, 1, {});
  EXPECT_EQ(plain.twice, 0);
  Monitor numbered = of("a->b, a#3->c");
  const std::uint64_t both = issue_of(numbered.schedule, EventKind::event, "a", nullptr);
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint64_t c = issue_of(numbered.schedule, EventKind::event, "c", nullptr);
    EXPECT_GE(unmet(numbered, c, nobody), 0) << i;
    occur(numbered, both, 1, {});
  }
  EXPECT_EQ(numbered.twice, -1);
  EXPECT_LT(unmet(numbered, issue_of(numbered.schedule, EventKind::event, "c", nullptr), nobody), 0);
}

TEST(Monitor, CheckingNotesTheFirstViolation) {
  Monitor monitor = of("a->b, [a]->c");
  monitor.mode = Mode::check;
  const auto runs = [](unsigned) { return false; };
  const std::uint64_t b = issue_of(monitor.schedule, EventKind::event, "b", nullptr);
  judge(monitor, b, {"x.cpp", 7}, runs);
  EXPECT_EQ(monitor.violated, 0);
  EXPECT_EQ(monitor.violated_at.line, 7U);
  EXPECT_FALSE(is_satisfied(monitor));
}

TEST(Monitor, NamesAndThreads) {
  const Monitor monitor = of("ns::a@t->b, a->c, start@t->d");
  const ParsedSchedule& schedule = monitor.schedule;
  EXPECT_NE(issue_of(schedule, EventKind::event, "ns.a", "t"), 0U);
  EXPECT_EQ(issue_of(schedule, EventKind::event, "ns.a", "u"), 0U);
  EXPECT_EQ(issue_of(schedule, EventKind::event, "ns.a", nullptr), 0U);
  EXPECT_NE(issue_of(schedule, EventKind::event, "a", nullptr), 0U);
  EXPECT_NE(issue_of(schedule, EventKind::start, nullptr, "t"), 0U);
  EXPECT_EQ(issue_of(schedule, EventKind::end, nullptr, "t"), 0U);
}

} // namespace
} // namespace reex::imunit
