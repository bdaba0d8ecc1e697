// From the logs of a sleep-based test to its events and its schedule. Plain values; nothing is executed here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "imunit/events.h"
#include "imunit/orderings.h"
#include "imunit/record.h"

namespace reex::inference {

struct Event {
  std::string name; // "finishedAdd1"
  StatementId statement = k_no_statement;
  unsigned line = 0;    // in the test's file
  bool repeats = false; // it is in a loop: a log may not have each of its occurrences
};

struct Inference {
  Log log; // the first one, with the events
  std::vector<Event> events;
  InferredOrderings schedule;
  std::map<int, std::string> threads; // names that REEX_THREAD gives, by function of the source
  std::set<StatementId> sleeps;       // that induced orderings: what the schedule replaces
  std::vector<LeftOut> left_out;
};

struct InferOptions {
  double confidence = 0.5;
  Region region = Region::open;
};

// One execution or more of the same test.
Inference infer(const std::vector<Recorded>& executions, const Source& source, const InferOptions& options);

// The log with the events as entries, each before its statement. A name that occurs several times gets
// "#1", "#2".
Log with_events(const Log& log, const std::vector<Event>& events);

} // namespace reex::inference
