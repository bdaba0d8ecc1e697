#include "report/text/trace_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/paths.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

// The number of steps that are shown on each side of a switch: the operation next to the switch, and one
// more. There a reader looks for the broken assumption.
constexpr std::size_t k_context = 2;
// The number of segments (runs of one thread) above which the middle of a trace is left out. With four lines
// for a segment, this is about two screens of 50 lines.
constexpr std::size_t k_segments = 24;

// The number of steps on changed lines that are shown in the middle of a segment. So not every turn of a loop
// over a changed line is shown.
constexpr std::size_t k_changed_steps = 4;

struct Segment {
  std::size_t begin = 0; // steps [begin, end)
  std::size_t end = 0;
  bool important = false; // it begins with a preemption, or one of its steps touches the change
};

std::vector<Segment> segments_of(const std::vector<TraceStep>& trace) {
  std::vector<Segment> segments;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const bool starts =
        i == 0 || trace[i].thread != trace[i - 1].thread || trace[i].reason != SwitchReason::none;
    if (starts) segments.push_back({i, i, trace[i].reason == SwitchReason::preempted});
    segments.back().end = i + 1;
    if (touches_change(trace[i].stack)) segments.back().important = true;
  }
  return segments;
}

const TraceStep* next_of(const std::vector<TraceStep>& trace, std::size_t from, int thread) {
  for (std::size_t i = from; i < trace.size(); ++i) {
    if (trace[i].thread == thread) return &trace[i];
  }
  return nullptr;
}

const TraceStep* last_of(const std::vector<TraceStep>& trace, std::size_t end, int thread) {
  for (std::size_t i = end; i-- > 0;) {
    if (trace[i].thread == thread) return &trace[i];
  }
  return nullptr;
}

const ThreadPosition* position_of(const std::vector<ThreadPosition>& where, int thread) {
  const auto found =
      std::find_if(where.begin(), where.end(), [&](const ThreadPosition& at) { return at.thread == thread; });
  return found == where.end() ? nullptr : &*found;
}

std::string at_place(const std::string& location) { return location.empty() ? "" : " at " + location; }

// The text for a context switch. The pending operation of the thread that ran before is its next step or, if
// it never ran again, is in its position.
std::string switch_text(const std::vector<TraceStep>& trace, std::size_t index,
                        const std::vector<ThreadPosition>& where) {
  const TraceStep& step = trace[index];
  const int left =
      step.from_thread >= 0 ? step.from_thread : (index > 0 ? trace[index - 1].thread : step.thread);
  const TraceStep* done = last_of(trace, index, left);
  const TraceStep* pending = next_of(trace, index, left);
  const ThreadPosition* position = position_of(where, left);
  std::string location;
  if (pending != nullptr)
    location = short_location(pending->stack);
  else if (position != nullptr)
    location = short_location(position->stack);

  switch (step.reason) {
  case SwitchReason::preempted:
    return fmt::format("T{} preempted{}{}", left, at_place(location),
                       pending == nullptr ? "" : ", before " + operation_text(*pending));
  case SwitchReason::blocked:
    // Its next operation is to lock the mutex again, which is not what it waits for.
    if (done != nullptr && done->operation == "condition wait")
      return fmt::format("T{} waits to be notified on {}{}", left, short_thread_names(done->object),
                         at_place(short_location(done->stack)));
    // It did not wait for the signal, which came meanwhile and is handled first.
    if (pending != nullptr && pending->operation == "signal handler")
      return fmt::format("T{} blocked{}, until {} came", left, at_place(location), pending->object);
    if (pending != nullptr) {
      return fmt::format("T{} blocked on {}{}", left,
                         short_thread_names(pending->object.empty() ? pending->operation : pending->object),
                         at_place(location));
    }
    if (position != nullptr && position->state.starts_with("waits")) {
      return fmt::format("T{} {}{}", left, short_thread_names(position->state), at_place(location));
    }
    return fmt::format("T{} blocked{}", left, at_place(location));
  case SwitchReason::finished:
    // The one that joins runs on at once, before the choice.
    if (index > 0 && trace[index - 1].thread != left)
      return fmt::format("T{} finished, and T{} joined it", left, trace[index - 1].thread);
    return fmt::format("T{} finished", left);
  case SwitchReason::yielded:
    return fmt::format("T{} yielded{}", left, at_place(location));
  case SwitchReason::slept:
    return fmt::format("T{} sleeps{}", left, at_place(location));
  case SwitchReason::spinning:
    return fmt::format("T{} spins{}", left, at_place(location));
  case SwitchReason::slice_over:
    return fmt::format("T{}'s time slice is over{}", left, at_place(location));
  case SwitchReason::held:
    return fmt::format("T{} held{}: {}", left, at_place(location), step.held_for);
  case SwitchReason::none:
    break;
  }
  if (index > 0 && trace[index - 1].thread != step.thread && trace[index - 1].operation == "thread end")
    return fmt::format("T{} finished", trace[index - 1].thread);
  return fmt::format("T{} goes on", step.thread);
}

void add_segment(const std::vector<TraceStep>& trace, const Segment& segment, bool first, bool all,
                 std::vector<TraceRow>& rows) {
  const std::size_t head = first ? 1 : k_context;
  std::vector<bool> shown(segment.end - segment.begin, all);
  std::size_t changed_left = k_changed_steps;
  for (std::size_t i = segment.begin; i < segment.end; ++i) {
    const bool at_edge = i < segment.begin + head || i + k_context >= segment.end;
    const bool told = !at_edge && changed_left > 0 && touches_change(trace[i].stack);
    if (told) --changed_left;
    if (at_edge || told) shown[i - segment.begin] = true;
  }
  for (std::size_t i = segment.begin; i < segment.end;) {
    std::size_t hidden = 0;
    while (i + hidden < segment.end && !shown[i + hidden - segment.begin]) ++hidden;
    // A fold of one step would not save a line.
    if (hidden > 1) {
      rows.push_back(
          {TraceRow::Kind::fold, i, fmt::format("... {} more steps ...", hidden), trace[i].thread, false});
      i += hidden;
      continue;
    }
    rows.push_back({TraceRow::Kind::step, i, "", trace[i].thread, false});
    ++i;
  }
}

// The segments that are shown: the first and the last ones, and as many important ones between them as fit.
std::vector<bool> shown_segments(const std::vector<Segment>& segments, bool all) {
  std::vector<bool> shown(segments.size(), all || segments.size() <= k_segments);
  if (shown.empty() || shown.front()) return shown;
  const std::size_t edge = k_segments / 3;
  std::size_t left = k_segments - 2 * edge;
  for (std::size_t i = 0; i < edge; ++i) shown[i] = shown[segments.size() - 1 - i] = true;
  for (std::size_t i = segments.size(); i-- > 0 && left > 0;) {
    if (segments[i].important && !shown[i]) {
      shown[i] = true;
      --left;
    }
  }
  return shown;
}

} // namespace

std::vector<TraceRow> trace_rows(const std::vector<TraceStep>& trace,
                                 const std::vector<ThreadPosition>& where, bool all) {
  const std::vector<Segment> segments = segments_of(trace);
  const std::vector<bool> shown = shown_segments(segments, all);
  std::vector<TraceRow> rows;
  for (std::size_t s = 0; s < segments.size();) {
    if (!shown[s]) {
      const std::size_t first = s;
      while (s < segments.size() && !shown[s]) ++s;
      rows.push_back({TraceRow::Kind::fold, segments[first].begin,
                      fmt::format("... {} more {}, {} ...", s - first, s - first == 1 ? "switch" : "switches",
                                  counted(segments[s - 1].end - segments[first].begin, "step")),
                      -1, false});
      continue;
    }
    const std::size_t begin = segments[s].begin;
    if (begin > 0) {
      rows.push_back({TraceRow::Kind::context_switch, begin, switch_text(trace, begin, where),
                      trace[begin].thread, trace[begin].reason == SwitchReason::preempted});
    }
    add_segment(trace, segments[s], s == 0, all, rows);
    ++s;
  }
  return rows;
}

std::size_t thread_count(const std::vector<TraceStep>& trace, const std::vector<ThreadPosition>& where) {
  int highest = -1;
  for (const TraceStep& step : trace) highest = std::max(highest, step.thread);
  for (const ThreadPosition& position : where) highest = std::max(highest, position.thread);
  return static_cast<std::size_t>(highest) + 1;
}

std::string steps_text(const Schedule& how) {
  if (how.length <= how.trace.size()) return counted(how.trace.size(), "step");
  return fmt::format("{}, the first {} of them recorded", counted(how.length, "step"),
                     grouped(how.trace.size()));
}

std::string unrecorded_text(const Schedule& how) {
  if (how.length <= how.trace.size()) return "";
  return fmt::format("... {} that were not recorded ...", counted(how.length - how.trace.size(), "step"));
}

std::string short_location(const std::vector<Frame>& stack) {
  const Frame* frame = shown_frame(stack);
  return frame == nullptr ? "" : fmt::format("{}:{}", base_name(frame->file), frame->line);
}

std::string operation_text(const TraceStep& step) {
  return short_thread_names(step.object.empty() ? step.operation : step.operation + " " + step.object);
}

std::string step_text(const TraceStep& step) {
  const std::string operation = operation_text(step);
  if (step.woken < 0) return operation;
  return operation + (step.woken == 0 ? " (nobody waits)" : fmt::format(" (wakes {})", step.woken));
}

bool touches_change(const std::vector<Frame>& stack) {
  return std::any_of(stack.begin(), stack.end(), [](const Frame& frame) { return frame.changed; });
}

} // namespace reex
