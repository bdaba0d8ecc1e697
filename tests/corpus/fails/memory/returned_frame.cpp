// The waiter may return, and its latch is gone, before the other thread has done its last step on it.
#include <atomic>
#include <thread>

struct Latch {
  std::atomic<bool> done{false};
  std::atomic<int> settled{0};

  void set() {
    done.store(true);
    settled.fetch_add(1);
  }
  void wait() {
    while (!done.load()) std::this_thread::yield();
  }
};

[[gnu::noinline]] void work(std::thread& thread) {
  Latch latch;
  thread = std::thread([&latch] { latch.set(); });
  latch.wait();
}

int main() {
  std::thread thread;
  work(thread);
  thread.join();
}
