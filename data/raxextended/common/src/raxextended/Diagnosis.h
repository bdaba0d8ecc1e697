#pragma once

#include <thread>

#include "raxextended/Event.h"

namespace raxextended {

// A thread that repairs what broke, whenever a plan is about to be executed.
class Diagnosis {
public:
  explicit Diagnosis(Event& exec) : exec(exec) {}

  void start() { thread = std::thread(&Diagnosis::run, this); }
  void join() { thread.join(); }

private:
  void run();
  void repair() { ++repairs; }

  Event& exec;
  int repairs = 0;
  std::thread thread;
};

} // namespace raxextended
