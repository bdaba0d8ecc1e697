// A worker reads its setting from the environment, and nothing says that it has been written by then.
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex planning, logging;
bool found;

int main() {
  std::thread writer([] {
    { std::lock_guard planned(planning); }
    setenv("REEX_WORKERS", "4", 1);
  });
  std::thread worker([] {
    { std::lock_guard logged(logging); }
    found = getenv("REEX_WORKERS") != nullptr;
  });
  writer.join();
  worker.join();
  assert(found);
  return 0;
}
