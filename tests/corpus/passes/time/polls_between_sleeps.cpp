// A thread polls with short sleeps and gives up after a second, beside one that works until told to stop.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono;

std::atomic<bool> stop = false;
std::atomic<bool> never = false;

int main() {
  std::thread worker([] {
    while (!stop) std::this_thread::yield();
  });
  const auto end = steady_clock::now() + 20ms;
  while (!never && steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  assert(steady_clock::now() >= end);
  stop = true;
  worker.join();
  return 0;
}
