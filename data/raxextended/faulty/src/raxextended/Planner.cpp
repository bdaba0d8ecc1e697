#undef NDEBUG
#include "raxextended/Planner.h"

#include <cassert>

namespace raxextended {

void Planner::run() {
  int count = plan.getCount();
  for (;;) {
    waitForRequest(count);
    count = plan.getCount();
    timeline.generate();
    exec.signalEvent();
  }
}

void Planner::waitForRequest(int count) {
  if (count == plan.getCount()) {
    assert(count == plan.getCount() && "a request was missed");
    plan.waitForEvent();
  }
}

} // namespace raxextended
