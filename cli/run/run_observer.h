// Passes the explorer's events to the progress printer, and the user's interruption to the explorer.
#pragma once

#include "reex/explorer/explore.h"
#include "report/progress.h"

namespace reex {

class RunObserver : public Observer {
public:
  explicit RunObserver(ProgressPrinter& progress) : m_progress(progress) {}
  void progress(const Progress& progress) override;
  void failure(const Failure& failure) override;
  bool interrupted() override;

private:
  ProgressPrinter& m_progress;
};

} // namespace reex
