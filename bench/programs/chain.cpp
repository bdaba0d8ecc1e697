// A chain of threads: each sets its number to one more than the number before it, and one thread looks for
// the last number that nobody has set. Few schedules differ, and a search begins very many in vain.
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  constexpr unsigned k_threads = 7;
  std::array<std::atomic<int>, k_threads + 1> numbers{};
  unsigned last = k_threads;
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    while (last > 0 && numbers[last].load() != 0) --last;
  });
  for (unsigned i = 1; i <= k_threads; ++i)
    threads.emplace_back([&numbers, i] { numbers[i].store(numbers[i - 1].load() + 1); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%u\n", last);
}
