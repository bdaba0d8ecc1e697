// Time passes only when no thread can run, so the producer runs before the deadline.
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
    std::this_thread::sleep_for(5ms);
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  });
  std::thread consumer([] {
    std::unique_lock lock(mutex);
    const bool in_time = changed.wait_for(lock, 10ms, [] { return ready; });
    assert(in_time);
  });
  producer.join();
  consumer.join();
  return 0;
}
