// Threads use what lies in live frames of others: of callers deep below, of one that waits in libc, and what
// is gone as soon as the waiter returns, after its last use.
#include <cassert>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

[[gnu::noinline]] void wait_deep(std::thread& thread, int depth) {
  volatile char room[512];
  room[0] = 0;
  if (depth > 0) return wait_deep(thread, depth - 1);
  thread.join();
  room[1] = room[0];
}

[[gnu::noinline]] int of_a_caller() {
  int seen = 0;
  std::thread thread([&] { seen = 1; });
  wait_deep(thread, 20);
  return seen;
}

[[gnu::noinline]] int of_a_waiter() {
  std::mutex mutex;
  std::condition_variable condition;
  int given = 0;
  std::thread thread([&] {
    std::lock_guard lock(mutex);
    given = 1;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return given == 1; });
  }
  thread.join();
  return given;
}

[[gnu::noinline]] void of_a_latch(std::thread& thread) {
  std::latch latch(1);
  thread = std::thread([&latch] { latch.count_down(); });
  latch.wait();
}

[[gnu::noinline]] int of_a_promise(std::thread& thread) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  thread = std::thread([given = std::move(promise)]() mutable { given.set_value(1); });
  return future.get();
}

int main() {
  assert(of_a_caller() == 1);
  assert(of_a_waiter() == 1);
  std::thread latch, promise;
  of_a_latch(latch);
  assert(of_a_promise(promise) == 1);
  latch.join();
  promise.join();
}
