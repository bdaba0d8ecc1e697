#include "reex/trace/difference.h"

#include <filesystem>

namespace reex {
namespace {

std::string operation_text(const VisitCopy& visit, TraceReader& reader) {
  std::string text = "thread " + std::to_string(visit.thread) + " did " + info(visit.operation).text;
  const std::string place = place_text(reader.stack(visit.stack));
  return place.empty() ? text : text + " at " + place;
}

} // namespace

std::string ending_text(End end, std::int32_t value) {
  switch (end) {
  case End::exited:
    return "the process ended with exit status " + std::to_string(value);
  case End::deadlock:
    return "the execution ended in a deadlock";
  case End::livelock:
    return "the execution ended in a livelock";
  case End::stuck:
    return "a thread was held at an event for ever";
  case End::assertion:
    return "an assertion failed";
  case End::aborted:
    return "the process aborted";
  case End::exception:
    return "an exception was not caught";
  case End::signalled:
    return "signal " + std::to_string(value) + " ended the process";
  case End::use_after_free:
  case End::double_free:
  case End::invalid_free:
  case End::stack_use_after_return:
    return "a memory error ended the process";
  case End::use_after_destroy:
    return "a thread used an object that was destroyed";
  case End::step_limit:
    return "the step limit was reached";
  case End::memory_limit:
    return "the memory limit was reached";
  case End::watchdog:
    return "no scheduling point was reached for too long";
  default:
    return "the execution did not come to an end";
  }
}

std::string place_text(const std::vector<Frame>& stack) {
  const Frame* frame = shown_frame(stack);
  if (frame == nullptr) return "";
  std::string text =
      std::filesystem::path(frame->file).filename().string() + ":" + std::to_string(frame->line);
  return frame->function.empty() ? text : text + " (" + frame->function + ")";
}

std::string difference_text(const SelfCheckCopy& check, TraceReader& reader) {
  std::string text = "step " + std::to_string(check.step) + ": ";
  const bool first_goes_on = check.first.has_value();
  if (check.ended_early && !first_goes_on) {
    const std::string first = ending_text(check.end[0].end, check.end[0].value);
    const std::string second = ending_text(check.end[1].end, check.end[1].value);
    return first == second ? "the end: the standard outputs are different ones"
                           : "the end: first " + first + ", then " + second;
  }
  const std::string first = first_goes_on ? operation_text(*check.first, reader)
                                          : ending_text(check.end[0].end, check.end[0].value);
  const std::string second = check.ended_early ? ending_text(check.end[1].end, check.end[1].value)
                                               : operation_text(check.other, reader);
  return text + "first " + first + ", then " + (first == second ? "the same on another object" : second);
}

} // namespace reex
