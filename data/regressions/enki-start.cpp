// A scheduler runs one set of tasks.
#include "TaskScheduler.h"
#include <atomic>

int main() {
  enki::TaskScheduler scheduler;
  scheduler.Initialize(2);
  std::atomic<int> done{0};
  enki::TaskSet tasks(2, [&](enki::TaskSetPartition range, uint32_t) { done += range.end - range.start; });
  scheduler.AddTaskSetToPipe(&tasks);
  scheduler.WaitforTask(&tasks);
  return done == 2 ? 0 : 1;
}
