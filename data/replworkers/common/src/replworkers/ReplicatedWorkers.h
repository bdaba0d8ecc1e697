#pragma once

#include <memory>
#include <vector>

#include "replworkers/Barrier.h"
#include "replworkers/Coordinator.h"
#include "replworkers/Fifo.h"
#include "replworkers/ResultPool.h"
#include "replworkers/Worker.h"

namespace replworkers {

// Workers that are all alike, for one job after the other. A subclass says what is done with an item.
// What is not private is for one thread.
class ReplicatedWorkers {
public:
  explicit ReplicatedWorkers(const Configuration& configuration);
  virtual ~ReplicatedWorkers() = default;

  void start();

  // Has the workers do what was added to the work pool, and what comes of it.
  std::vector<double> execute();

  // Ends the workers, between two jobs.
  void destroy();

  void addWork(const WorkItem& item) { coordinator.add(item); }

protected:
  // Called by the workers. Adds results and new work.
  virtual void doWork(const WorkItem& item) = 0;

  void addResult(double result) { resultPool.add(result); }

private:
  friend class Worker;

  void doWork(const std::vector<WorkItem>& items);

  const Configuration configuration;
  Fifo workPool;
  ResultPool resultPool;
  Coordinator coordinator;
  Barrier startBarrier; // of the workers, and of the thread that executes the job
  Barrier endBarrier;
  std::mutex exclusiveLock;
  std::vector<std::unique_ptr<Worker>> workers;
  bool stop = false; // written before the workers pass the barrier
};

} // namespace replworkers
