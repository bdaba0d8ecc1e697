// The worker is done long before main, which sleeps: its work is shorter than the time slices of the sleep.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

std::atomic<int> done = 0;

int main() {
  std::thread worker([] {
    for (int i = 0; i < 300; ++i) done.fetch_add(1);
  });
  std::this_thread::sleep_for(1ms);
  assert(done == 300);
  worker.join();
  return 0;
}
