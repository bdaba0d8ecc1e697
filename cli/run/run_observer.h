// Passes what the explorer tells on to the progress line, and the user's interruption on to the explorer.
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
