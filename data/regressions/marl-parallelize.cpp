// Two functions run in parallel.
#include "marl/parallelize.h"
#include "marl/defer.h"
#include <atomic>

int main() {
  marl::Scheduler scheduler;
  scheduler.setWorkerThreadCount(2);
  scheduler.bind();
  std::atomic<int> count{0};
  marl::parallelize([&] { ++count; }, [&] { ++count; });
  scheduler.unbind();
  return count == 2 ? 0 : 1;
}
