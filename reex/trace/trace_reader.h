// Turns the trace of a detailed execution (addresses) into steps and positions with source frames and names.
// It works on copies that reex/records has checked, and never on shared memory. Parent process, one thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reex/imunit/grammar.h"
#include "reex/records/ending.h"
#include "reex/records/trace.h"
#include "reex/run/result.h"
#include "reex/shared/findings.h"
#include "reex/shared/guide.h"
#include "reex/symbols/resolver.h"
#include "reex/trace/holds.h"
#include "reex/trace/lock_scope.h"
#include "reex/trace/object_names.h"

namespace reex {

using FrameBits = std::function<std::uint8_t(const Frame&)>;

inline constexpr unsigned k_step_frames = 12; // that reports and schedule files keep with each step

class TraceReader {
public:
  TraceReader(Resolver& resolver, const FrameBits& frame_bits)
      : m_resolver(resolver), m_frame_bits(frame_bits), m_objects(resolver) {}

  // The schedule of IMUnit whose events the traces name; "": none.
  void set_schedule(const std::string& text);
  // `most`: innermost frames of each stack.
  std::vector<TraceStep> steps(const TraceCopy& trace, unsigned most = k_step_frames);
  // The failing thread first. After steps(): objects keep their names.
  std::vector<ThreadPosition> positions(const TraceCopy& trace, const EndingCopy& ending);
  // Where the block of a memory error was freed and allocated; nothing where that is not known.
  std::vector<ThreadPosition> memory(const TraceCopy& trace);
  // Stacks are those that the detailed execution captured; without one there is the access alone.
  // Of a race with the trace of that execution: see near_miss.h.
  Finding finding(const FindingRecord& record, const std::string& test_name,
                  const TraceCopy* trace = nullptr);
  // The source frames of a stack of return addresses, the innermost `most` of them.
  std::vector<Frame> stack(std::span<const std::uint64_t> pcs, unsigned most);
  std::vector<Frame> stack(const std::vector<std::uint64_t>& pcs) { return stack(pcs, k_max_stack); }

  // The ordering and the event as the schedule has them; "" if it has no such.
  std::string ordering_text(int ordering) const;
  std::string event_text(std::uint64_t issue) const;

private:
  std::vector<ThreadPosition> near_misses_of(const FindingRecord& race, const TraceCopy& trace);
  std::vector<ThreadPosition> left_out_of(const FindingRecord& race, const TraceCopy& trace);
  const std::vector<Frame>& frames(std::uint64_t return_address);
  std::string waits_for_descriptor(const TracePosition& position);
  std::string spin_text(const TracePosition& position);
  std::string state(const TracePosition& position, std::uint32_t thread, const std::vector<Hold>& holds);
  std::string holders(const TraceCopy& trace, const std::vector<Hold>& holds);
  std::vector<Frame> whole_stack(std::span<const std::uint64_t> pcs);

  std::string m_schedule;
  std::unique_ptr<imunit::ParsedSchedule> m_parsed; // null: there is none
  Resolver& m_resolver;
  const FrameBits& m_frame_bits;
  std::unordered_map<std::uint64_t, std::vector<Frame>> m_frames;
  ObjectNames m_objects;
  LockHelpers m_helpers; // of the trace of the last steps()
};

// Decisions as the schedule file has them, and back.
std::vector<Decision> decisions_of(const std::vector<Choice>& choices);
Choice choice_of(const Decision& decision);
Turn turn_of(const Decision& decision);
// Says of each decision which thread was left where. `choices` are those that the decisions were made of,
// `taken` the turns of the same execution.
void place_decisions(std::vector<Decision>& decisions, const std::vector<Choice>& choices,
                     const std::vector<Turn>& taken);

} // namespace reex
