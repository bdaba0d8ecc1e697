#pragma once

#include "readerswriters/RWVSN.h"

namespace readerswriters {

// Counts up when it is read and down when it is written, and checks that nobody reads during a write.
class RWPrinter : public RWVSN {
protected:
  void doRead() override;

  // Throws std::logic_error if somebody reads.
  void doWrite() override;

private:
  static constexpr int maximum = 10;

  std::mutex monitor;
  int reading = 0;
  int x = 0;
};

} // namespace readerswriters
