// A thread polls for a lock until a second is over by the clock. The owner sleeps for two: the limit comes
// first.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
#include <unistd.h>

std::atomic<bool> locked = true;

int main() {
  std::thread owner([] {
    sleep(2);
    locked = false;
  });
  bool taken = false;
  const auto start = std::chrono::steady_clock::now();
  auto now = start;
  for (; !taken && now < start + std::chrono::seconds(1); now = std::chrono::steady_clock::now())
    taken = !locked.exchange(true);
  assert(!taken);
  assert(now < start + std::chrono::seconds(2));
  owner.join();
  return 0;
}
