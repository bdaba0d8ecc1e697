// A trylock fails while another thread looks under the lock, however often that thread has looked before.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;

int main() {
  std::thread poller([] {
    for (;;) {
      const std::lock_guard lock(mutex);
      if (ready) return;
    }
  });
  for (int i = 0; i < 2; ++i) {
    const bool got = mutex.try_lock();
    std::putchar(got ? '1' : '0');
    if (got) mutex.unlock();
  }
  mutex.lock();
  ready = true;
  mutex.unlock();
  poller.join();
  return 0;
}
