// The monitor of a schedule: which events have occurred, and whether one more may occur now. It is the same
// for the native monitor and for the runtime under reex; they differ only in how they hold a thread, and in
// how they find out whether a thread is blocked.
//
// An event e may occur if for each ordering c -> e the condition c holds: an event holds once it has
// occurred, and [b] holds if b has occurred and its thread is blocked now. Events of the program are told
// apart by name and by thread, and one may stand for several events of the schedule (a, a@t, a#1): an *issue*
// is the set of those whose name and thread fit.
//
// Callers: one thread at a time; the caller sees to that. Plain data without pointers to itself, in the
// memory of the test: a restored test has its monitor back.
//
// Source: Jagannath 2012, 3.4.1. Read as printed, 3.2.2 would have "a && b" hold at no moment; the monitor is
// what is meant.
#pragma once

#include "reex/imunit/grammar.h"

// What all modules of a process have in common: the schedule in force and the names of threads, also where a
// library is compiled with -fvisibility=hidden.
#define REEX_IMUNIT_SHARED __attribute__((visibility("default")))

namespace reex {
namespace imunit {

// Raised with each change of Monitor. The runtime refuses a test that was compiled with another version.
constexpr std::uint32_t k_monitor_version = 3;

enum class Mode : std::uint8_t {
  enforce, // threads are held until their events may occur
  check,   // nobody is held; what does not obey is a violation
};

struct Place {
  const char* file = nullptr;
  unsigned line = 0;
};

struct Monitor {
  std::uint32_t version = k_monitor_version;
  std::uint32_t size = sizeof(Monitor);
  Mode mode = Mode::enforce;
  bool infeasible = false; // it may be impossible to satisfy the schedule
  bool feasible = true;    // it may be possible
  const char* name = "";   // of the schedule
  Place place;             // of the schedule
  ParsedSchedule schedule;

  std::uint64_t occurred = 0;              // events
  std::uint64_t reached = 0;               // events before which a thread has stood, or that have occurred
  std::uint64_t held = 0;                  // orderings for which a thread was held
  std::uint16_t count[k_max_events] = {};  // issues that fit the event
  std::uint32_t thread[k_max_events] = {}; // that issued the occurrence that is meant
  Place at[k_max_events] = {};
  int twice = -1; // an event that was issued twice, and the schedule has no number for it
  Place twice_at;
  int violated = -1;             // checking: the first ordering that was not obeyed
  std::uint64_t violated_by = 0; // the issue
  Place violated_at;
  std::uint64_t left = 0;    // issues that were held when the schedule ended
  std::uint64_t unknown = 0; // events that no code of the process can issue
};

// The events of the schedule that an event of the program stands for. `thread`: the name of the calling
// thread, null if it has none.
constexpr std::uint64_t issue_of(const ParsedSchedule& schedule, EventKind kind, const char* name,
                                 const char* thread) {
  std::uint64_t issue = 0;
  for (unsigned i = 0; i < schedule.events; ++i) {
    const Event& event = schedule.event[i];
    if (event.kind != kind) continue;
    if (kind == EventKind::event &&
        !same_name(schedule.text + event.name.begin, event.name.length, name, length_of(name)))
      continue;
    if (event.thread.length != 0 &&
        (thread == nullptr ||
         !same_text(schedule.text + event.thread.begin, event.thread.length, thread, length_of(thread))))
      continue;
    issue |= event_bit(i);
  }
  return issue;
}

// The events that occur if the issue occurs next.
constexpr std::uint64_t due(const Monitor& monitor, std::uint64_t issue) {
  std::uint64_t events = 0;
  for (unsigned i = 0; i < monitor.schedule.events; ++i) {
    const unsigned wanted = monitor.schedule.event[i].number;
    if ((issue & event_bit(i)) != 0 && monitor.count[i] + 1u == (wanted == 0 ? 1 : wanted))
      events |= event_bit(i);
  }
  return events;
}

// Whether the condition holds. `blocked(event)`: whether the thread of this event, which has occurred, is
// blocked; it is asked for as few events as possible.
template <typename Blocked>
constexpr bool holds(const Monitor& monitor, unsigned condition, Blocked&& blocked) {
  const Node& node = monitor.schedule.node[condition];
  switch (node.kind) {
  case NodeKind::both:
    return holds(monitor, node.left, blocked) && holds(monitor, node.right, blocked);
  case NodeKind::either:
    return holds(monitor, node.left, blocked) || holds(monitor, node.right, blocked);
  case NodeKind::block:
    return (monitor.occurred & event_bit(node.left)) != 0 && blocked(unsigned{node.left});
  default:
    return (monitor.occurred & event_bit(node.left)) != 0;
  }
}

// The first ordering whose condition the issue has to wait for; -1: it may occur.
template <typename Blocked>
constexpr int unmet(const Monitor& monitor, std::uint64_t issue, Blocked&& blocked) {
  const std::uint64_t events = due(monitor, issue);
  for (unsigned i = 0; events != 0 && i < monitor.schedule.orderings; ++i) {
    const Ordering& ordering = monitor.schedule.ordering[i];
    if ((events & event_bit(ordering.event)) != 0 && !holds(monitor, ordering.condition, blocked))
      return static_cast<int>(i);
  }
  return -1;
}

constexpr bool has_block(const ParsedSchedule& schedule) {
  for (unsigned i = 0; i < schedule.nodes; ++i)
    if (schedule.node[i].kind == NodeKind::block) return true;
  return false;
}

// Whether the schedule counts the occurrences of this event.
constexpr bool is_numbered(const ParsedSchedule& schedule, const Event& event) {
  for (unsigned i = 0; i < schedule.events; ++i) {
    const Event& other = schedule.event[i];
    if (other.number != 0 && same_name(schedule.text + event.name.begin, event.name.length,
                                       schedule.text + other.name.begin, other.name.length))
      return true;
  }
  return false;
}

constexpr void reach(Monitor& monitor, std::uint64_t issue) { monitor.reached |= due(monitor, issue); }

// The issue occurs.
constexpr void occur(Monitor& monitor, std::uint64_t issue, std::uint32_t thread, Place at) {
  const std::uint64_t events = due(monitor, issue);
  monitor.occurred |= events;
  monitor.reached |= events;
  for (unsigned i = 0; i < monitor.schedule.events; ++i) {
    if ((issue & event_bit(i)) == 0) continue;
    if ((events & event_bit(i)) != 0) {
      monitor.thread[i] = thread;
      monitor.at[i] = at;
    } else if (monitor.count[i] == 1 && monitor.twice < 0 &&
               !is_numbered(monitor.schedule, monitor.schedule.event[i])) {
      monitor.twice = static_cast<int>(i);
      monitor.twice_at = at;
    }
    if (monitor.count[i] <= k_max_number) ++monitor.count[i];
  }
}

// Checking: notes whether the issue obeys, before it occurs.
template <typename Blocked>
constexpr void judge(Monitor& monitor, std::uint64_t issue, Place at, Blocked&& blocked) {
  const int ordering = unmet(monitor, issue, blocked);
  if (ordering < 0 || monitor.violated >= 0) return;
  monitor.violated = ordering;
  monitor.violated_by = issue;
  monitor.violated_at = at;
}

// The events that never occurred, and whether the schedule was satisfied to its end.
constexpr std::uint64_t missing(const Monitor& monitor) {
  const unsigned events = monitor.schedule.events;
  const std::uint64_t all = events == k_max_events ? ~std::uint64_t{0} : event_bit(events) - 1;
  return all & ~monitor.occurred;
}

// Whether each ordering's event has occurred when it might.
constexpr bool is_satisfied(const Monitor& monitor) {
  if (monitor.violated >= 0 || monitor.twice >= 0) return false;
  for (unsigned i = 0; i < monitor.schedule.orderings; ++i)
    if ((monitor.occurred & event_bit(monitor.schedule.ordering[i].event)) == 0) return false;
  return true;
}

} // namespace imunit
} // namespace reex
