// The first thread waits, pinned, for a task that another thread does, and sleeps when there is nothing to do.
#include "ftl/atomic_counter.h"
#include "ftl/task_scheduler.h"

#include <cassert>

static void work(ftl::TaskScheduler*, void* done) { ++*static_cast<std::atomic<int>*>(done); }

int main() {
  ftl::TaskScheduler scheduler;
  ftl::TaskSchedulerInitOptions options;
  options.ThreadPoolSize = 2;
  options.FiberPoolSize = 4;
  options.Behavior = ftl::EmptyQueueBehavior::Sleep;
  scheduler.Init(options);
  std::atomic<int> done{0};
  ftl::AtomicCounter counter(&scheduler);
  scheduler.AddTask({work, &done}, ftl::TaskPriority::High, &counter);
  scheduler.WaitForCounter(&counter, 0, true);
  assert(done == 1);
}
