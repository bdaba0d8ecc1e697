// The test of mutex_pair.cpp, with memory in use before the first thread. Arguments: the number of bytes, and
// how many of their pages each execution writes.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int count, char** arguments) {
  if (count != 3) return 2;
  constexpr std::size_t k_page = 4096;
  std::vector<char> used(static_cast<std::size_t>(std::atol(arguments[1])), 'x');
  const auto written = static_cast<std::size_t>(std::atol(arguments[2]));
  constexpr int k_pairs = 3;
  std::mutex mutex;
  std::size_t total = 0;
  const auto work = [&] {
    for (int i = 0; i < k_pairs; ++i) {
      const std::lock_guard lock(mutex);
      ++total;
    }
  };
  std::thread a(work);
  for (std::size_t page = 0; page < written; ++page)
    used[page * (used.size() / written / k_page) * k_page] = 1;
  std::thread b(work);
  a.join();
  b.join();
  return total == 2 * k_pairs ? 0 : 1;
}
