// W3: three philosophers eat once. Faulty: each takes the left fork first, so all three can wait for ever.
// Correct: the last one takes the forks in the other order.
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "bench/workloads/workload.h"

int main(int count, char** arguments) {
  constexpr int k_seats = 3;
  const bool faulty = is_faulty(count, arguments);
  std::mutex forks[k_seats];
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < k_seats; ++seat)
    philosophers.emplace_back([&forks, faulty, seat] {
      std::mutex* first = &forks[seat];
      std::mutex* second = &forks[(seat + 1) % k_seats];
      if (!faulty && seat == k_seats - 1) std::swap(first, second);
      const std::lock_guard one(*first);
      const std::lock_guard other(*second);
    });
  for (std::thread& philosopher : philosophers) philosopher.join();
}
