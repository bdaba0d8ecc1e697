#include "replworkers/ReplicatedWorkers.h"

namespace replworkers {

ReplicatedWorkers::ReplicatedWorkers(const Configuration& configuration)
    : configuration(configuration), coordinator(configuration, workPool), startBarrier(configuration.numWorkers + 1),
      endBarrier(configuration.numWorkers + (configuration.synchronous ? 1 : 0)) {
  for (std::size_t i = 0; i < configuration.numWorkers; ++i) {
    workers.push_back(std::make_unique<Worker>(*this));
  }
}

void ReplicatedWorkers::start() {
  for (const auto& worker : workers) worker->start();
}

std::vector<double> ReplicatedWorkers::execute() {
  coordinator.open();
  startBarrier.await();
  coordinator.waitUntilDone();
  if (configuration.synchronous) endBarrier.await();
  return resultPool.takeAll();
}

void ReplicatedWorkers::destroy() {
  stop = true;
  startBarrier.await();
  for (const auto& worker : workers) worker->join();
}

void ReplicatedWorkers::doWork(const std::vector<WorkItem>& items) {
  std::unique_lock<std::mutex> lock(exclusiveLock, std::defer_lock);
  if (configuration.exclusive) lock.lock();
  for (const WorkItem& item : items) doWork(item);
}

} // namespace replworkers
