// Main takes it that the worker is done after a millisecond. This takes a deadline that comes while the
// worker could run on.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

std::atomic<int> done = 0;

int main() {
  std::thread worker([] {
    for (int i = 0; i < 3000; ++i) done.fetch_add(1);
  });
  std::this_thread::sleep_for(1ms);
  assert(done == 3000);
  worker.join();
  return 0;
}
