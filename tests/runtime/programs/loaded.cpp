// Loaded by isolation.cpp while its threads run.
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

int g_made = 0;

__attribute__((constructor)) void make_thread() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread thread([&] {
    const std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
  }
  thread.join();
  g_made = 1;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int made() { return g_made; }
