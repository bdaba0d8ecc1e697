#include "reex/trace/trace_reader.h"

#include <algorithm>
#include <set>

#include "heuristics/match_bits.h"
#include "reex/run/finding_kinds.h"
#include "reex/shared/descriptor_objects.h"
#include "reex/trace/difference.h"
#include "reex/trace/holds.h"
#include "reex/trace/near_miss.h"
#include "reex/trace/verdict.h"

namespace reex {
namespace {

// Steps at the start of a trace, and at its end, that have a stack: one takes some kilobytes.
constexpr std::size_t k_with_stacks = 1 << 14;
constexpr std::size_t k_at_most = 64; // operations that are told of a race

constexpr const char* k_choice_kinds[] = {"run",      "wake",  "option", "loop",
                                          "spurious", "reuse", "late"}; // in the order of ChoiceKind

ChoiceKind kind_of(const std::string& name) {
  const auto* found = std::find(std::begin(k_choice_kinds), std::end(k_choice_kinds), name);
  return static_cast<ChoiceKind>(found == std::end(k_choice_kinds) ? 0 : found - std::begin(k_choice_kinds));
}

} // namespace

const std::vector<Frame>& TraceReader::frames(std::uint64_t return_address) {
  const auto [found, added] = m_frames.try_emplace(return_address);
  if (added) {
    found->second = m_resolver.frames(return_address - 1);
    if (m_frame_bits)
      for (Frame& frame : found->second) frame.changed = (m_frame_bits(frame) & k_match_line) != 0;
  }
  return found->second;
}

std::vector<Frame> TraceReader::stack(std::span<const std::uint64_t> pcs, unsigned most) {
  std::vector<Frame> result;
  for (const std::uint64_t pc : pcs) {
    if (result.size() >= most) break;
    for (const Frame& frame : frames(pc))
      if (result.size() < most) result.push_back(frame);
  }
  return result;
}

void TraceReader::set_schedule(const std::string& text) {
  if (text == m_schedule) return;
  m_schedule = text;
  m_parsed = std::make_unique<imunit::ParsedSchedule>(
      imunit::parse(text.c_str(), static_cast<unsigned>(text.size())));
  if (!m_parsed->ok()) m_parsed = nullptr;
}

std::string TraceReader::ordering_text(int ordering) const {
  if (m_parsed == nullptr || ordering < 0 || ordering >= m_parsed->orderings) return "";
  std::string text(imunit::k_max_text, 0);
  imunit::Printer(*m_parsed, text.data(), imunit::k_max_text).ordering(static_cast<unsigned>(ordering));
  return text.c_str();
}

std::string TraceReader::event_text(std::uint64_t issue) const {
  for (unsigned i = 0; m_parsed != nullptr && i < m_parsed->events; ++i) {
    if ((issue & imunit::event_bit(i)) == 0) continue;
    std::string text(imunit::k_max_text, 0);
    imunit::Printer(*m_parsed, text.data(), imunit::k_max_text).event(i);
    return text.c_str();
  }
  return "";
}

std::vector<TraceStep> TraceReader::steps(const TraceCopy& trace, unsigned most) {
  m_objects.begin();
  std::vector<TraceStep> result;
  result.reserve(trace.steps.size());
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep32& raw = trace.steps[i];
    TraceStep step;
    step.step = i;
    step.thread = raw.thread;
    step.operation = info(raw.operation).text;
    step.object = raw.issue != 0 ? event_text(raw.issue) : m_objects.name(raw.operation, raw.object);
    if (i < k_with_stacks || i + k_with_stacks >= trace.steps.size())
      step.stack = stack(pcs_of(trace, raw), most);
    step.reason = static_cast<SwitchReason>(raw.leave);
    if (step.reason != SwitchReason::none) step.from_thread = raw.from;
    step.enabled = raw.enabled;
    step.time = raw.time;
    if (raw.woken >= 0 && raw.operation != Operation::atomic_cas) step.woken = raw.woken;
    if (step.reason == SwitchReason::held) step.held_for = ordering_text(raw.ordering);
    result.push_back(std::move(step));
  }
  m_helpers =
      LockHelpers(trace, result, [this](std::span<const std::uint64_t> pcs) { return whole_stack(pcs); });
  m_helpers.mark(result);
  return result;
}

// Empty if it was cut off.
std::vector<Frame> TraceReader::whole_stack(std::span<const std::uint64_t> pcs) {
  return pcs.size() < k_max_stack ? stack(pcs, ~0u) : std::vector<Frame>();
}

// What a thread at a descriptor or for a child process waits for; empty for other operations.
std::string TraceReader::waits_for_descriptor(const TracePosition& position) {
  const std::string name = m_objects.text(position.operation, position.object);
  switch (position.operation) {
  case Operation::channel_read:
    return "waits for " + name + " to be readable";
  case Operation::channel_write:
    return "waits for " + name + " to be writable";
  case Operation::channel_accept:
    return "waits for a connection to " + name;
  case Operation::channel_connect:
    return "waits for the connection of " + name;
  case Operation::poll:
    return "waits for " + (name.empty() ? "its descriptors" : name) + " to be ready";
  case Operation::child_wait:
    return "waits for a child process";
  case Operation::file_lock:
    return "waits for the file lock of " + name;
  case Operation::system_v:
    return "waits for a queue or for semaphores of System V";
  default:
    return "";
  }
}

// What a thread reads again and again.
std::string TraceReader::spin_text(const TracePosition& position) {
  const std::string object = m_objects.name(position.operation, position.object);
  const bool reads =
      position.operation == Operation::atomic_load || position.operation == Operation::plain_read;
  const char* verb = reads                                               ? "reads"
                     : info(position.operation).effect == Effect::change ? "locks and unlocks"
                                                                         : "tries";
  const std::string place = place_text(stack(std::span(&position.spin_pc, 1), k_max_stack));
  return std::string("spins: ") + verb + " " + (object.empty() ? "the same" : "`" + object + "`") +
         (place.empty() ? "" : " at " + place);
}

std::string TraceReader::state(const TracePosition& position, std::uint32_t thread,
                               const std::vector<Hold>& holds) {
  switch (position.state) {
  case 1:
    return std::string("could run: ") + info(position.operation).text;
  case 3:
    return "finished";
  case k_position_spins:
    return spin_text(position);
  default:
    break;
  }
  if (position.ordering >= 0)
    return "held at " + event_text(position.issue) + " for " + ordering_text(position.ordering);
  if (position.operation == Operation::thread_join)
    return "waits for the end of thread " + std::to_string(position.holder);
  if (const std::string text = waits_for_descriptor(position); !text.empty()) return text;
  std::string text = "waits";
  if (position.operation == Operation::cond_reacquire)
    text += position.holder >= 0 ? "" : " to be notified";
  else if (position.operation == Operation::futex_sleep || position.operation == Operation::futex_move)
    text += " to be woken";
  if (const std::string name = m_objects.text(position.operation, position.object); !name.empty())
    text +=
        (position.operation == Operation::cond_reacquire && position.holder < 0 ? ", releasing " : " for ") +
        name;
  for (const Hold& hold : holds) {
    text += &hold == &holds.front() ? " held by " : " and ";
    text += hold.thread == thread ? "itself" : "thread " + std::to_string(hold.thread);
  }
  return text;
}

std::string TraceReader::holders(const TraceCopy& trace, const std::vector<Hold>& holds) {
  std::string text;
  for (const Hold& hold : holds) {
    if (hold.step == nullptr) continue;
    std::vector<Frame> taken = stack(pcs_of(trace, *hold.step), k_max_stack);
    m_helpers.mark(taken, static_cast<std::size_t>(hold.step - trace.steps.data()));
    const std::string place = place_text(taken);
    if (place.empty()) continue;
    const char* what = hold.step->operation == Operation::once ? " began it at " : " locked it at ";
    text += (text.empty() ? "" : "; ") + ("thread " + std::to_string(hold.thread)) + what + place;
  }
  return text;
}

std::vector<ThreadPosition> TraceReader::positions(const TraceCopy& trace, const EndingCopy& ending) {
  std::vector<ThreadPosition> result;
  for (const TracePosition& raw : trace.positions) {
    const std::uint32_t id = raw.thread;
    ThreadPosition position;
    position.thread = static_cast<int>(id);
    const bool failed_here = !is_standstill(ending.end) && id == ending.thread;
    const bool waits = !failed_here && (raw.state == 2 || raw.state == k_position_waits_again);
    const std::vector<Hold> holds = waits ? holds_of(trace, raw) : std::vector<Hold>();
    position.state = failed_here ? "failed here" : state(raw, id, holds);
    if (raw.state == k_position_waits_again) position.state += ", for a time, again and again";
    position.holders = holders(trace, holds);
    position.stack = stack(pcs_of(trace, raw), k_max_stack);
    if (waits) m_helpers.mark_waiting(position.stack);
    result.push_back(std::move(position));
  }
  const auto failed = std::ranges::find(result, static_cast<int>(ending.thread), &ThreadPosition::thread);
  if (!is_standstill(ending.end) && failed != result.end()) std::rotate(result.begin(), failed, failed + 1);
  return result;
}

std::vector<ThreadPosition> TraceReader::memory(const TraceCopy& trace) {
  const auto event = [&](const BlockEvent& raw, const char* state) {
    return ThreadPosition{
        .thread = raw.thread, .state = state, .stack = stack(pcs_of(trace, raw), k_max_stack)};
  };
  const TraceBlock& block = trace.block;
  std::vector<ThreadPosition> result;
  if (block.freed.known) result.push_back(event(block.freed, "freed here"));
  if (block.allocated.known)
    result.push_back(event(block.allocated, "allocated here"));
  else if (block.freed.known) // only what threads do is remembered
    result.push_back({.thread = 0, .state = "allocated before the first thread", .stack = {}});
  return result;
}

namespace {

std::string act_text(FindingAct act, unsigned size) {
  const std::string bytes = " " + std::to_string(size) + (size == 1 ? " byte" : " bytes");
  switch (act) {
  case FindingAct::read:
    return "reads" + bytes;
  case FindingAct::write:
    return "writes" + bytes;
  case FindingAct::atomic_read:
    return "atomically reads" + bytes;
  case FindingAct::atomic_write:
    return "atomically writes" + bytes;
  case FindingAct::freed:
    return "frees the memory";
  case FindingAct::left_frame:
    return "has left the function";
  case FindingAct::created:
    return "was created here";
  case FindingAct::held:
    return "locked it";
  case FindingAct::destroyed:
    return "destroys it";
  case FindingAct::unlocked:
    return "unlocks it";
  case FindingAct::woken:
    return "wakes who waits at it";
  case FindingAct::used:
    return "uses it";
  case FindingAct::initialized:
    return "initializes it";
  case FindingAct::closed:
    return "closes it";
  }
  return "";
}

std::string finding_message(const Finding& finding) {
  if (finding.kind == "never-joined")
    return "thread " + std::to_string(finding.where.front().thread) + " was neither joined nor detached";
  const std::string object = finding.object.empty() ? "" : " on " + finding.object;
  const std::string what = finding.kind == "data-race" ? "data race"
                           : finding.kind == "unlocked-by-stranger"
                               ? "unlocked by a thread that does not hold it"
                           : finding.kind == "woken-after-free" ? "freed memory"
                           : finding.kind == "gone-thread"      ? "use of a thread that is gone"
                                                                : "destroyed while held";
  std::string text = what + object + ": ";
  for (const ThreadPosition& side : finding.where)
    text += (&side == &finding.where.front() ? "thread " : ", thread ") + std::to_string(side.thread) + " " +
            side.state;
  return text;
}

} // namespace

std::vector<ThreadPosition> TraceReader::near_misses_of(const FindingRecord& race, const TraceCopy& trace) {
  std::vector<ThreadPosition> found;
  std::set<std::string> lines;
  for (const std::uint32_t number : near_misses(trace.steps, race.side[0], race.side[1])) {
    const TraceStep32& step = trace.steps[number];
    ThreadPosition position{.thread = step.thread,
                            .state = info(step.operation).text,
                            .stack = stack(pcs_of(trace, step), k_max_stack)};
    const Frame* const user = user_frame(position.stack);
    if (user != nullptr && lines.insert(line_of(*user)).second && found.size() < k_at_most)
      found.push_back(std::move(position));
  }
  return found;
}

std::vector<ThreadPosition> TraceReader::left_out_of(const FindingRecord& race, const TraceCopy& trace) {
  // By object, the functions that looked at it and went on.
  std::map<std::uint64_t, std::set<std::string>> looked;
  // Objects and addresses of code. A compare-exchange that failed may be tried again.
  std::set<std::pair<std::uint64_t, std::uint64_t>> looks;
  std::set<std::pair<std::uint64_t, std::uint64_t>> writes;
  const auto is_new = [&](const TraceStep32& step, auto& known) {
    const auto pcs = pcs_of(trace, step);
    return !pcs.empty() && known.size() < 8 * k_at_most && known.emplace(step.object, pcs.front()).second;
  };
  for (const std::uint32_t number : looks_on_the_way(trace.steps, race.side[0], race.side[1])) {
    const TraceStep32& step = trace.steps[number];
    if (!is_new(step, looks)) continue;
    const std::vector<Frame> frames = stack(pcs_of(trace, step), k_max_stack);
    if (const Frame* const user = user_frame(frames); user != nullptr)
      looked[step.object].insert(user->function);
  }
  std::vector<ThreadPosition> found;
  if (looked.empty()) return found;
  std::set<std::string> lines;
  for (const TraceStep32& step : trace.steps) {
    if (step.operation <= Operation::atomic_load || step.operation > Operation::atomic_cas) continue;
    const auto functions = looked.find(step.object);
    if (functions == looked.end() || !is_new(step, writes)) continue;
    ThreadPosition position{.thread = step.thread,
                            .state = info(step.operation).text,
                            .stack = stack(pcs_of(trace, step), k_max_stack)};
    const Frame* const user = user_frame(position.stack);
    if (user != nullptr && functions->second.contains(user->function) &&
        lines.insert(line_of(*user)).second && found.size() < k_at_most)
      found.push_back(std::move(position));
  }
  return found;
}

Finding TraceReader::finding(const FindingRecord& record, const std::string& test_name,
                             const TraceCopy* trace) {
  Finding finding;
  finding.kind = finding_rows()[static_cast<std::size_t>(record.kind)].kind;
  const bool of_descriptor = is_race(record.kind) && is_descriptor_object(record.object);
  finding.object = of_descriptor ? "descriptor " + std::to_string(descriptor_of_object(record.object))
                                 : m_resolver.variable(record.object);
  finding.schedule = record.schedule;
  for (const FindingSide& side : record.side) {
    if (side.pc == 0) continue;
    const bool captured = side.depth != 0;
    finding.where.push_back(
        {.thread = side.thread,
         .state = act_text(side.act, side.size),
         .stack = stack(captured ? std::span(side.stack, side.depth) : std::span(&side.pc, 1), k_max_stack)});
  }
  if (record.kind == FindingKind::data_race && trace != nullptr)
    finding.near_misses = near_misses_of(record, *trace);
  if (record.kind == FindingKind::data_race && trace != nullptr)
    finding.left_out = left_out_of(record, *trace);
  finding.message = finding_message(finding);
  finding.key =
      finding_key(finding, of_descriptor ? finding.object : m_resolver.data_symbol(record.object), test_name);
  return finding;
}

std::vector<Decision> decisions_of(const std::vector<Choice>& choices) {
  std::vector<Decision> result;
  for (const Choice& choice : choices)
    result.push_back({.point = choice.point,
                      .step = choice.step,
                      .thread = choice.thread,
                      .kind = k_choice_kinds[static_cast<unsigned>(choice.kind)]});
  return result;
}

Choice choice_of(const Decision& decision) {
  return {.point = decision.point,
          .step = decision.step,
          .thread = static_cast<std::uint16_t>(decision.thread),
          .rank = 0,
          .kind = kind_of(decision.kind)};
}

Turn turn_of(const Decision& decision) {
  return {.operation = decision.done,
          .thread = static_cast<std::uint16_t>(decision.left),
          .to = static_cast<std::uint16_t>(decision.thread),
          .kind = kind_of(decision.kind)};
}

void place_decisions(std::vector<Decision>& decisions, const std::vector<Choice>& choices,
                     const std::vector<Turn>& taken) {
  auto turn = taken.begin();
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (choices[i].rank == 0) continue; // planned, and the default all the same
    if (turn == taken.end() || turn->to != choices[i].thread) return;
    decisions[i].left = turn->thread;
    decisions[i].done = turn->operation;
    ++turn;
  }
}

} // namespace reex
