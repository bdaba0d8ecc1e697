// Turns the raw trace of a detailed execution (addresses, in the control block) into steps and positions with
// source frames and names. Parent process.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "reex/run/result.h"
#include "reex/shared/control.h"
#include "reex/symbols/resolver.h"

namespace reex {

using FrameBits = std::function<std::uint8_t(const Frame&)>;

// A thread that has what another one waits for, and the step by which it got it; null if that is not known.
struct Hold {
  std::uint32_t thread;
  const TraceStep32* step;
};

class TraceReader {
public:
  TraceReader(Resolver& resolver, const FrameBits& frame_bits)
      : m_resolver(resolver), m_frame_bits(frame_bits) {}

  std::vector<TraceStep> steps(const Trace& trace);
  // The failing thread first. After steps(): objects keep their names.
  std::vector<ThreadPosition> positions(const Trace& trace, const Ending& ending);
  // Where the block of a memory error was freed and allocated; nothing where that is not known.
  std::vector<ThreadPosition> memory(const Trace& trace);
  // Stacks are those that the detailed execution captured; without one there is the access alone.
  Finding finding(const FindingRecord& record, const std::string& test_name);
  std::vector<Frame> stack(const std::uint64_t* pcs, unsigned depth, unsigned most);

private:
  std::string object_name(Operation operation, std::uint64_t object);
  const std::vector<Frame>& frames(std::uint64_t return_address);
  std::string waits_for_descriptor(const TracePosition& position);
  std::string state(const TracePosition& position, std::uint32_t thread, const std::vector<Hold>& holds);
  std::string holders(const Trace& trace, const std::vector<Hold>& holds);

  Resolver& m_resolver;
  const FrameBits& m_frame_bits;
  std::unordered_map<std::uint64_t, std::vector<Frame>> m_frames;
  std::unordered_map<std::uint64_t, std::string> m_objects; // named by first touch
  std::map<std::string, unsigned> m_object_counts;
};

// Decisions as the schedule file has them, and back.
std::vector<Decision> decisions_of(const Choice* choices, std::uint32_t count);
Choice choice_of(const Decision& decision);
Turn turn_of(const Decision& decision);
// Says of each decision which thread was left where; `choices` are those it was made of.
void place_decisions(std::vector<Decision>& decisions, const Choice* choices, const Guide& guide);

} // namespace reex
