// W9: `lastzero` from the paper on optimal partial-order reduction (Abdulla, Aronis, Jonsson and Sagonas,
// 2014), with parameter four, or another one. One thread searches an array for the last zero. Each other
// thread sets its element to one more than the element before it. The program prints what was found.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_usual = 4;
  if (is_faulty(count, arguments)) return k_no_such_version;
  const int writers = threads_of(count, arguments, k_usual);
  std::vector<std::atomic<int>> array(static_cast<std::size_t>(writers) + 1);
  int found = writers;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (found > 0 && array[static_cast<std::size_t>(found)].load() != 0) --found;
  });
  for (std::size_t i = 1; i < array.size(); ++i)
    threads.emplace_back([&array, i] { array[i].store(array[i - 1].load() + 1); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d", found);
  for (const std::atomic<int>& element : array) std::printf(" %d", element.load());
}
