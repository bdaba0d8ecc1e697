// Infers the events of a sleep-based test from logs: Figure 3.4 of the dissertation.
//
// Cost: for each sleep, one pass over the log.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "imunit/log.h"

namespace reex::inference {

// Whether a thread counts that went on after it stood still in the region of a sleep.
enum class Region : std::uint8_t {
  open,   // it counts where it stands as the sleep ends: Figure 3.5 is so
  printed // it does not: line 27 of Figure 3.4 as printed
};

struct StaticEvent {
  StatementId statement = k_no_statement; // the event is right before it, or at the end of a function
  std::string prefix;                     // "finished" or "starting"
  StatementId named_by = k_no_statement;  // the statement whose callee names it

  auto operator<=>(const StaticEvent&) const = default;
};

struct InferredEvents {
  std::vector<StaticEvent> events;         // each once, in the order in which they were found
  std::vector<StaticEvent> low_confidence; // inferred from too few logs
};

// `confidence` from 0 to 1: the part of the logs that must agree on an event. The sleeps of the logs from
// which no event follows become idle.
InferredEvents infer_events(std::vector<Log>& logs, double confidence, Region region = Region::open);

} // namespace reex::inference
