// Infers the schedule of a sleep-based test from logs with events: Figure 3.6 of the dissertation.
//
// Cost: for each sleep, one pass over the log; then that of the graph.
#pragma once

#include <string>
#include <vector>

#include "imunit/log.h"

namespace reex::inference {

struct Ordering {
  std::string before; // events, as a schedule has them: "finishedAdd1", "take#2"
  std::string after;
  bool blocking = false; // [before]->after

  auto operator<=>(const Ordering&) const = default;
  std::string text() const { return (blocking ? '[' + before + ']' : before) + "->" + after; }
};

struct InferredOrderings {
  std::vector<Ordering> orderings; // by first occurrence in the logs
  unsigned original = 0;           // before the minimization
  std::vector<Ordering> on_cycles; // what the minimization removed (lines 44 to 49), and why
  std::vector<Ordering> transitive;
  std::vector<Ordering> low_confidence;
  std::vector<Ordering> implied; // by the order within threads and by creation: they say nothing

  std::string schedule() const; // "a->b, [c]->d"
};

// `confidence` from 0 to 1: the part of the logs that must agree on an ordering. Idle sleeps induce none.
InferredOrderings infer_orderings(const std::vector<Log>& logs, double confidence);

} // namespace reex::inference
