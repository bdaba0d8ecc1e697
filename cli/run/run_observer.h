// Passes the explorer's events to the progress printer and the log of events, and the user's interruption to
// the explorer.
#pragma once

#include "reex/explorer/explore.h"
#include "report/events/event_log.h"
#include "report/progress.h"

namespace reex {

class RunObserver : public Observer {
public:
  // `events` is null if nobody asked for them.
  RunObserver(ProgressPrinter& progress, EventLog* events) : m_progress(progress), m_events(events) {}
  void progress(const Progress& progress) override;
  void failure(const Failure& failure) override;
  bool interrupted() override;

private:
  ProgressPrinter& m_progress;
  EventLog* m_events;
};

} // namespace reex
