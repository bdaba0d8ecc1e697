// The mutex of a condition variable orders the accesses: no race.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int data = 0;
std::mutex mutex;
std::condition_variable condition;
bool ready = false;

int main() {
  std::thread writer([] {
    data = 1;
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    condition.notify_one();
  });
  std::thread reader([] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return ready; });
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
