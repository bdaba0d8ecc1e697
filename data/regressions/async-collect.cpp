// Two threads each end one of the two coroutines that a third one waits for.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <functional>
#include <thread>
#include <vector>

#include "async_simple/coro/Collect.h"
#include "async_simple/coro/Lazy.h"

using namespace async_simple::coro;

std::coroutine_handle<> g_waiting[2];

struct Wait {
  int place;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) const noexcept { g_waiting[place] = handle; }
  void await_resume() const noexcept {}
  Wait coAwait(async_simple::Executor*) const noexcept { return *this; }
};

Lazy<int> task(int place) {
  co_await Wait{place};
  co_return place + 1;
}

Lazy<int> all() {
  std::vector<Lazy<int>> tasks;
  tasks.push_back(task(0));
  tasks.push_back(task(1));
  auto results = co_await collectAll(std::move(tasks));
  co_return results[0].value() + results[1].value();
}

int main() {
  std::atomic<int> sum{0};
  all().start([&](auto&& result) { sum = result.value(); });
  std::thread one([] { g_waiting[0].resume(); });
  std::thread two([] { g_waiting[1].resume(); });
  one.join();
  two.join();
  assert(sum == 3);
}
