// A thread may end, and its waiter is gone, before the one that notified it asks the waiter for the next one.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Waiter {
  Waiter* next = nullptr;
  bool is_done = false;
};

std::mutex mutex;
std::condition_variable changed;
Waiter* waiters;

void wait() {
  Waiter self;
  std::unique_lock lock(mutex);
  waiters = &self;
  changed.notify_all();
  changed.wait(lock, [&] { return self.is_done; });
}

void finish(Waiter& waiter) {
  const std::lock_guard lock(mutex);
  waiter.is_done = true;
  changed.notify_all();
}

int main() {
  std::thread waiting(wait);
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return waiters != nullptr; });
  Waiter* waiter = waiters;
  lock.unlock();
  while (waiter != nullptr) {
    finish(*waiter);
    waiter = waiter->next;
  }
  waiting.join();
}
