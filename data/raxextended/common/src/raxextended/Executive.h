#pragma once

#include <thread>

#include "raxextended/Event.h"
#include "raxextended/Plan.h"

namespace raxextended {

// A thread that asks for a plan, waits for it and executes it.
class Executive {
public:
  Executive(Event& plan, Event& exec, Plan& timeline) : plan(plan), exec(exec), timeline(timeline) {}

  void start() { thread = std::thread(&Executive::run, this); }
  void join() { thread.join(); }

private:
  void run();
  void executePlan();

  Event& plan;
  Event& exec;
  Plan& timeline;
  int executed = 0;
  std::thread thread;
};

} // namespace raxextended
