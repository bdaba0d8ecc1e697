#pragma once

#include <thread>

namespace replworkers {

class ReplicatedWorkers;

// A thread that works on each job of its pool, until the pool is stopped.
class Worker {
public:
  explicit Worker(ReplicatedWorkers& pool) : pool(pool) {}

  void start() { thread = std::thread(&Worker::run, this); }
  void join() { thread.join(); }

private:
  void run();

  ReplicatedWorkers& pool;
  std::thread thread;
};

} // namespace replworkers
