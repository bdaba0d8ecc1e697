// A worker writes three hundred times into a ring of atomic objects, while main waits for at most ten
// seconds: no machine needs so long.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<long> ring[8];

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    for (int i = 0; i < 300; ++i)
      ring[i % 8].store(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::lock_guard guard(mutex);
    done = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, std::chrono::seconds(10), [&] { return done; });
    assert(in_time);
  }
  worker.join();
}
