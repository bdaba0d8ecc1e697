// Workers that wait in loops. Spurious wake-ups come to nothing, and could go on for ever.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<int> queue;
  bool stop = false;
  int sum = 0;
  const auto work = [&] {
    std::unique_lock lock(mutex);
    for (;;) {
      while (!stop && queue.empty()) changed.wait(lock);
      if (queue.empty()) return;
      sum += queue.front();
      queue.pop_front();
    }
  };
  std::thread first(work), second(work);
  {
    std::lock_guard lock(mutex);
    queue.push_back(1);
  }
  changed.notify_one();
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  changed.notify_all();
  first.join();
  second.join();
  assert(sum == 1);
}
