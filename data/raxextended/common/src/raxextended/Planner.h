#pragma once

#include <thread>

#include "raxextended/Event.h"
#include "raxextended/Plan.h"

namespace raxextended {

// A thread that makes a plan each time that one is asked for.
class Planner {
public:
  Planner(Event& plan, Event& exec, Plan& timeline) : plan(plan), exec(exec), timeline(timeline) {}

  void start() { thread = std::thread(&Planner::run, this); }
  void join() { thread.join(); }

private:
  void run();
  void waitForRequest(int count);

  Event& plan;
  Event& exec;
  Plan& timeline;
  std::thread thread;
};

} // namespace raxextended
