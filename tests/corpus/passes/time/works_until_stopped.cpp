// The commonest stress test: a thread works until main, which sleeps, says stop. Time passes while it works.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

std::atomic<bool> stop = false;
std::atomic<long> done = 0;

int main() {
  std::thread worker([] {
    while (!stop) ++done;
  });
  std::this_thread::sleep_for(2ms);
  assert(done > 0);
  stop = true;
  worker.join();
  return 0;
}
