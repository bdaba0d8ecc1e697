#include "raxextended/Executive.h"

namespace raxextended {

void Executive::run() {
  int count = exec.getCount();
  for (;;) {
    plan.signalEvent();
    if (count == exec.getCount()) {
      exec.waitForEvent();
    }
    count = exec.getCount();
    executePlan();
  }
}

void Executive::executePlan() {
  while (timeline.next() != Plan::done) ++executed;
}

} // namespace raxextended
