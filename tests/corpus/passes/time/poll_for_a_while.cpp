// A worker polls for a millisecond before it waits, as in thread pools: it looks for tasks many times, picks
// another worker to steal from, and reads the clock. What comes after the poll is explored, too.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<int> tasks{0};
std::mutex mutex;
std::condition_variable more;
unsigned victim = 1; // used by the worker only

bool polled_in_vain() {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1)) {
    for (int i = 0; i < 256; ++i)
      if (tasks.load() > 0) return false;
    victim = victim * 5 + 1;
    std::this_thread::yield();
  }
  return true;
}

int main() {
  bool done = false;
  std::thread worker([&] {
    if (polled_in_vain()) {
      std::unique_lock lock(mutex);
      more.wait(lock, [] { return tasks.load() > 0; });
    }
    done = true;
  });
  {
    const std::lock_guard lock(mutex);
    ++tasks;
  }
  more.notify_one();
  worker.join();
  assert(done);
}
