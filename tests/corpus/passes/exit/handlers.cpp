// Exit handlers and static destructors lock and print.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex mutex;

struct Farewell {
  ~Farewell() {
    std::lock_guard lock(mutex);
    std::printf("destroyed\n");
  }
} farewell;

int main() {
  std::atexit([] {
    std::lock_guard lock(mutex);
    std::printf("handler\n");
  });
  std::thread worker([] {
    std::lock_guard lock(mutex);
    std::printf("worker\n");
  });
  {
    std::lock_guard lock(mutex);
    std::printf("main\n");
  }
  worker.join();
  return 0;
}
