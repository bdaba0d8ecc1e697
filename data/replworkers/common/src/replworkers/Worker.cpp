#include "replworkers/Worker.h"

#include "replworkers/ReplicatedWorkers.h"

namespace replworkers {

void Worker::run() {
  for (;;) {
    pool.startBarrier.await();
    if (pool.stop) break;
    for (;;) {
      const std::vector<WorkItem> items = pool.coordinator.take();
      if (items.empty()) break;
      pool.doWork(items);
    }
    pool.endBarrier.await();
  }
}

} // namespace replworkers
