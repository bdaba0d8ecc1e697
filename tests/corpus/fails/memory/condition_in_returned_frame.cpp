// The notification comes after the unlock: by then, the waiter may have returned.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Event {
  std::mutex mutex;
  std::condition_variable condition;
  bool happened = false;
};

[[gnu::noinline]] void work(std::thread& thread) {
  Event event;
  thread = std::thread([&event] {
    {
      std::lock_guard lock(event.mutex);
      event.happened = true;
    }
    event.condition.notify_one();
  });
  std::unique_lock lock(event.mutex);
  event.condition.wait(lock, [&] { return event.happened; });
}

int main() {
  std::thread thread;
  work(thread);
  thread.join();
}
