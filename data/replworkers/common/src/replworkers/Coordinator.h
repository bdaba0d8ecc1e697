#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "replworkers/Collection.h"
#include "replworkers/Configuration.h"

namespace replworkers {

// The pool of work, and who waits for it.
class Coordinator {
public:
  Coordinator(const Configuration& configuration, Collection& workPool);

  // A job begins, and takers wait for its work.
  void open();

  void add(const WorkItem& item);

  // As many items as the configuration says, or fewer; none if the job is done.
  std::vector<WorkItem> take();

  // Waits until all workers wait for work, and tells them that there is no more.
  void waitUntilDone();

private:
  bool allTakersBlocked() const { return blockedTakers == configuration.numWorkers; }

  const Configuration configuration;
  std::mutex monitor;
  std::condition_variable changed;
  Collection& workPool;
  std::size_t blockedTakers = 0;
  bool done = false;
};

} // namespace replworkers
