// W6: three threads add to one variable, twice each. The program has no fault.
#include <atomic>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_threads = 3;
  constexpr int k_times = 2;
  if (is_faulty(count, arguments)) return k_no_such_version;
  std::atomic<int> total = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([&total] {
      for (int time = 0; time < k_times; ++time) total.fetch_add(1);
    });
  for (std::thread& thread : threads) thread.join();
  require(total.load() == k_threads * k_times);
}
