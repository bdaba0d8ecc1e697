// A thread waits for what a coroutine returns that goes on in another thread.
#include <async/awaitable_get.h>
#include <coroutine>
#include <thread>

struct on_thread {
  std::thread& thread;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) { thread = std::thread([handle] { handle.resume(); }); }
  int await_resume() const { return 42; }
};
int main() {
  std::thread thread;
  const int value = async::awaitable_get(on_thread{thread});
  thread.join();
  return value == 42 ? 0 : 1;
}
