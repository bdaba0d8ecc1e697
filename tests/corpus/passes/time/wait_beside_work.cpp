// A timed wait that nobody notifies ends while another thread works, and has lasted as long as it should on
// every clock.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono;

std::mutex mutex;
std::condition_variable never;
std::mutex work;
bool stop = false;

int main() {
  std::thread worker([] {
    for (long done = 0;; ++done) {
      std::lock_guard lock(work);
      if (stop) break;
    }
  });
  const auto steady = steady_clock::now();
  const auto system = system_clock::now();
  {
    std::unique_lock lock(mutex);
    const bool notified = never.wait_for(lock, 50ms) == std::cv_status::no_timeout;
    assert(!notified);
  }
  assert(steady_clock::now() - steady >= 50ms);
  assert(system_clock::now() - system >= 50ms);
  {
    std::lock_guard lock(work);
    stop = true;
  }
  worker.join();
  return 0;
}
