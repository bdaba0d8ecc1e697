// Passes the explorer's events to the progress printer and the log of events, and the user's interruption to
// the explorer.
#pragma once

#include <functional>

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
  // From now on, the exploration is also to end when this is true.
  void stop_when(std::function<bool(const Progress&)> condition) { m_stop = std::move(condition); }

private:
  ProgressPrinter& m_progress;
  EventLog* m_events;
  std::function<bool(const Progress&)> m_stop;
  Progress m_last;
};

} // namespace reex
