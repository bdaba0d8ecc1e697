// A callback takes a lock under which another thread removes an entry.
#include "call_every_handler.h"

#include <cassert>
#include <thread>

int main() {
  mavsdk::Time time;
  mavsdk::CallEveryHandler handler(time);
  std::mutex mutex;
  int calls = 0;
  auto cookie = handler.add(
      [&] {
        std::lock_guard lock(mutex);
        ++calls;
      },
      0.0);
  std::thread runner([&] { handler.run_once(); });
  {
    std::lock_guard lock(mutex);
    handler.remove(cookie);
  }
  runner.join();
  assert(calls <= 1);
}
