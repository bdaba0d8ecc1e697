// The same with a plain write, which is no scheduling point until it is found to race with the return.
#include <atomic>
#include <thread>

struct Latch {
  std::atomic<bool> done{false};
  int settled = 0;
};

[[gnu::noinline]] void work(std::thread& thread) {
  Latch latch;
  thread = std::thread([&latch] {
    latch.done.store(true);
    latch.settled = 1;
  });
  while (!latch.done.load()) std::this_thread::yield();
}

int main() {
  std::thread thread;
  work(thread);
  thread.join();
}
