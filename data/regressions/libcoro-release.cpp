// One thread gives back what another one waits for.
// Needs the coro/export.hpp that the build of libcoro generates.
#include <coro/semaphore.hpp>
#include <coro/sync_wait.hpp>
#include <coro/task.hpp>
#include <thread>
#include <type_traits>

using Semaphore = coro::semaphore<1>;

template <typename S>
coro::task<void> give(S& semaphore) {
  if constexpr (std::is_void_v<decltype(semaphore.release())>)
    semaphore.release();
  else
    co_await semaphore.release();
  co_return;
}

coro::task<void> take(Semaphore& semaphore) { co_await semaphore.acquire(); }

int main() {
  Semaphore semaphore{1};
  auto work = [&] {
    coro::sync_wait(take(semaphore));
    coro::sync_wait(give(semaphore));
  };
  std::thread other(work);
  work();
  other.join();
}
