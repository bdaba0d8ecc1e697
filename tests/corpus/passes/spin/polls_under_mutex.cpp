// Two threads poll under one mutex, one of them yields in between. They do not keep each other awake.
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;

bool is_ready() {
  const std::lock_guard lock(mutex);
  return ready;
}

int main() {
  std::thread eager([] {
    while (!is_ready()) {
    }
  });
  std::thread polite([] {
    while (!is_ready()) std::this_thread::yield();
  });
  {
    const std::lock_guard lock(mutex);
    ready = true;
  }
  eager.join();
  polite.join();
  return 0;
}
