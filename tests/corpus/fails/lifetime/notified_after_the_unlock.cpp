// The waiting thread may see the flag without having waited, and destroys the condition variable before the
// other thread has notified it.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  bool done = false;
  auto condition = std::make_unique<std::condition_variable>();
  std::thread other([&, notified = condition.get()] {
    {
      const std::lock_guard lock(mutex);
      done = true;
    }
    notified->notify_one();
  });
  {
    std::unique_lock lock(mutex);
    condition->wait(lock, [&] { return done; });
  }
  condition.reset();
  other.join();
}
