#pragma once

#include <atomic>
#include <thread>

namespace raxextended {

// A thread that says again and again that it was the last one to run.
class Task {
public:
  Task(int id, std::atomic<int>& shared) : id(id), shared(shared) {}

  void start() { thread = std::thread(&Task::run, this); }
  void join() { thread.join(); }

private:
  void run();

  const int id;
  std::atomic<int>& shared;
  std::thread thread;
};

} // namespace raxextended
