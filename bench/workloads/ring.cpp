// W8: three threads. Each writes its own variable and reads that of its neighbour. The program prints what
// they read.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_threads = 3;
  if (is_faulty(count, arguments)) return k_no_such_version;
  std::atomic<int> value[k_threads] = {};
  int seen[k_threads] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i)
    threads.emplace_back([&value, &seen, i] {
      value[i].store(1);
      seen[i] = value[(i + 1) % k_threads].load();
    });
  for (std::thread& thread : threads) thread.join();
  for (const int one : seen) std::printf("%d", one);
}
