// A token goes round among threads that wait for it with a deadline, four hundred times. Each of them reads
// the clock once for each wait, and is notified in time: that is no reason for time to pass.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

constexpr int k_threads = 6;
constexpr int k_rounds = 400;

std::mutex mutex;
std::condition_variable changed[k_threads];
int holder = 0;

void pass_on(int self) {
  for (int round = 0; round < k_rounds; ++round) {
    std::unique_lock lock(mutex);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const bool came = changed[self].wait_until(lock, deadline, [self] { return holder == self; });
    assert(came);
    holder = (self + 1) % k_threads;
    changed[holder].notify_one();
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i) threads.emplace_back(pass_on, i);
  for (std::thread& thread : threads) thread.join();
}
