#include "replworkers/Coordinator.h"

namespace replworkers {

Coordinator::Coordinator(const Configuration& configuration, Collection& workPool)
    : configuration(configuration), workPool(workPool) {}

void Coordinator::open() {
  std::lock_guard<std::mutex> lock(monitor);
  done = false;
}

void Coordinator::add(const WorkItem& item) {
  std::lock_guard<std::mutex> lock(monitor);
  workPool.add(item);
  changed.notify_all();
}

std::vector<WorkItem> Coordinator::take() {
  ++blockedTakers;
  std::unique_lock<std::mutex> lock(monitor);
  if (workPool.empty() && allTakersBlocked()) {
    changed.notify_all();
  }
  while (workPool.empty() && !done) {
    changed.wait(lock);
  }

  std::vector<WorkItem> items;
  while (!workPool.empty() && items.size() < configuration.numItems) {
    items.push_back(workPool.take());
  }
  --blockedTakers;
  changed.notify_all();
  return items;
}

void Coordinator::waitUntilDone() {
  std::unique_lock<std::mutex> lock(monitor);
  while (!allTakersBlocked() && !done) {
    changed.wait(lock);
  }
  done = true;
  changed.notify_all();
}

} // namespace replworkers
