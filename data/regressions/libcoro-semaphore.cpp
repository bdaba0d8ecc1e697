// Two threads give back what the main thread took: both are there again.
// Needs the coro/export.hpp that the build of libcoro generates.
#include <coro/semaphore.hpp>
#include <coro/sync_wait.hpp>
#include <coro/task.hpp>
#include <cassert>
#include <thread>

int main() {
  coro::semaphore<2> semaphore{2};
  auto take = [&]() -> coro::task<void> { co_await semaphore.acquire(); };
  coro::sync_wait(take());
  coro::sync_wait(take());
  std::thread one([&] { semaphore.release(); });
  std::thread two([&] { semaphore.release(); });
  one.join();
  two.join();
  assert(semaphore.try_acquire());
  assert(semaphore.try_acquire());
}
