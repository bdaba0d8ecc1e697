// The consumer ignores the result of a timed wait, and the producer is slower than the wait.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool ready = false;

int main() {
  std::thread producer([] {
    std::this_thread::sleep_for(50ms);
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    if (!ready) changed.wait_for(lock, 10ms);
    assert(ready);
  });
  producer.join();
  consumer.join();
  return 0;
}
