// Planner, executive, diagnosis and two tasks: the planner misses no request.
#include "raxextended/Diagnosis.h"
#include "raxextended/Executive.h"
#include "raxextended/Planner.h"
#include "raxextended/Task.h"

using namespace raxextended;

int main() {
  Event plan;
  Event exec;
  Plan timeline;
  std::atomic<int> shared{0};

  Planner planner(plan, exec, timeline);
  Executive executive(plan, exec, timeline);
  Diagnosis diagnosis(exec);
  Task task1(1, shared);
  Task task2(2, shared);
  planner.start();
  executive.start();
  diagnosis.start();
  task1.start();
  task2.start();
  planner.join();
  executive.join();
  diagnosis.join();
  task1.join();
  task2.join();
}
