// Main runs a graph a second time while a task of the first run adds a task to it.
#include <taskflow/taskflow.hpp>
#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> ran(0);
  tf::Executor executor(1);
  tf::Taskflow graph;
  graph.emplace([&](tf::Subflow& subflow) {
    subflow.emplace([&] { ++ran; });
    subflow.detach();
  });
  executor.run(graph);
  executor.run(graph);
  executor.wait_for_all();
  assert(ran >= 2);
}
