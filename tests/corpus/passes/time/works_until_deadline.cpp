// Two threads work until the clock says so, each at least once.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono;

std::mutex mutex;
long done = 0;

long work(steady_clock::time_point end) {
  long own = 0;
  while (steady_clock::now() < end) {
    std::lock_guard lock(mutex);
    ++done;
    ++own;
  }
  return own;
}

int main() {
  const auto begin = steady_clock::now();
  const auto end = begin + 10ms;
  long other = 0;
  std::thread thread([&] { other = work(end); });
  const long own = work(end);
  thread.join();
  assert(own > 0 && done == own + other);
  assert(steady_clock::now() - begin >= 10ms);
  return 0;
}
