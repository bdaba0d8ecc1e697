#include "replworkers/Barrier.h"

namespace replworkers {

void Barrier::await() {
  std::unique_lock<std::mutex> lock(monitor);
  const unsigned mine = generation;
  if (++arrived == parties) {
    arrived = 0;
    ++generation;
    opened.notify_all();
    return;
  }
  while (generation == mine) {
    opened.wait(lock);
  }
}

} // namespace replworkers
