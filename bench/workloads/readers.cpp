// W7: one thread writes a variable, and four threads, or another number, read it. The program prints which
// threads saw the write.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_usual = 4;
  if (is_faulty(count, arguments)) return k_no_such_version;
  std::atomic<int> value = 0;
  std::vector<int> seen(static_cast<std::size_t>(threads_of(count, arguments, k_usual)));
  std::vector<std::thread> threads;
  threads.emplace_back([&value] { value.store(1); });
  for (int& place : seen) threads.emplace_back([&value, &place] { place = value.load(); });
  for (std::thread& thread : threads) thread.join();
  for (const int one : seen) std::printf("%d", one);
}
