// What a monitor has found, in words.
//
// Callers: the test's thread at the end of a schedule, and the native monitor when no thread can go on.
#pragma once

#include <string>

#include "reex/imunit/monitor.h"

namespace reex {
namespace imunit REEX_IMUNIT_SHARED {

inline std::string event_text(const ParsedSchedule& schedule, unsigned event) {
  char text[k_max_text];
  Printer(schedule, text, sizeof text).event(event);
  return text;
}

inline std::string ordering_text(const ParsedSchedule& schedule, unsigned ordering) {
  char text[k_max_text];
  Printer(schedule, text, sizeof text).ordering(ordering);
  return text;
}

inline std::string place_text(const Place& place) {
  if (place.file == nullptr) return "?";
  const std::string path = place.file;
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(place.line);
}

// The first event of a set: what the program calls it, as far as the schedule knows.
inline std::string issue_text(const ParsedSchedule& schedule, std::uint64_t issue) {
  for (unsigned i = 0; i < schedule.events; ++i)
    if ((issue & event_bit(i)) != 0) return event_text(schedule, i);
  return "an event";
}

inline void add_line(std::string& text, const std::string& line) {
  text += (text.empty() ? "" : "\n") + line;
}

// What of the condition does not hold, given that it does not.
template <typename Blocked>
std::string reason_text(const Monitor& monitor, unsigned condition, Blocked&& blocked) {
  const Node& node = monitor.schedule.node[condition];
  if (holds(monitor, condition, blocked)) return "";
  if (node.kind == NodeKind::basic || node.kind == NodeKind::block) {
    const std::string event = event_text(monitor.schedule, node.left);
    if ((monitor.occurred & event_bit(node.left)) == 0) return event + " has not occurred";
    return "the thread of " + event + " is not blocked";
  }
  const std::string left = reason_text(monitor, node.left, blocked);
  const std::string right = reason_text(monitor, node.right, blocked);
  if (left.empty() || right.empty()) return left + right;
  return left + (node.kind == NodeKind::both ? ", " : " and ") + right;
}

// The events of the set, which no code can issue; empty: the set is.
inline std::string unknown_text(const ParsedSchedule& schedule, std::uint64_t unknown) {
  std::string text;
  for (unsigned i = 0; i < schedule.events; ++i)
    if ((unknown & event_bit(i)) != 0)
      add_line(text, "no code issues " + event_text(schedule, i) + ": is it spelled as in REEX_EVENT?");
  return text;
}

// The events that never occurred.
inline std::string missing_text(const Monitor& monitor) {
  std::string text;
  for (unsigned i = 0; i < monitor.schedule.events; ++i) {
    if ((missing(monitor) & event_bit(i)) == 0) continue;
    const Event& event = monitor.schedule.event[i];
    if ((monitor.unknown & event_bit(i)) != 0) {
      add_line(text, unknown_text(monitor.schedule, event_bit(i)));
      continue;
    }
    std::string line = event_text(monitor.schedule, i) + " never occurred";
    if (event.kind != EventKind::event)
      line += ": is the thread named by REEX_THREAD, and joined before the end of the schedule?";
    else if (monitor.count[i] != 0)
      line += ": the event occurred " + std::to_string(monitor.count[i]) + " times only";
    else
      line += ": did its thread come there, and was it joined before the end of the schedule?";
    add_line(text, line);
  }
  return text;
}

// What is wrong at the end of a schedule that came to its end; empty: nothing.
inline std::string end_text(const Monitor& monitor, bool vacuous_ok) {
  std::string text;
  const ParsedSchedule& schedule = monitor.schedule;
  if (monitor.twice >= 0) {
    const auto twice = static_cast<unsigned>(monitor.twice);
    add_line(text, event_text(schedule, twice) + " occurred twice, at " + place_text(monitor.at[twice]) +
                       " and " + place_text(monitor.twice_at) +
                       ": number the occurrences in the schedule, as in a#2");
  }
  if (monitor.left != 0)
    add_line(text, "a thread was held at " + issue_text(schedule, monitor.left) +
                       " when the schedule ended: join the thread before");
  if (monitor.infeasible) {
    if (is_satisfied(monitor) && monitor.feasible) return text;
    if (is_satisfied(monitor))
      add_line(text, "the schedule is feasible again: it was satisfied");
    else if (monitor.violated < 0 && !vacuous_ok)
      add_line(text, missing_text(monitor));
    return text;
  }
  if (monitor.violated >= 0)
    add_line(text, ordering_text(schedule, static_cast<unsigned>(monitor.violated)) +
                       " was not obeyed: " + issue_text(schedule, monitor.violated_by) + " occurred at " +
                       place_text(monitor.violated_at) + " too early");
  if (!vacuous_ok && missing(monitor) != 0) add_line(text, missing_text(monitor));
  return text;
}

} // namespace REEX_IMUNIT_SHARED
} // namespace reex
