// The test of mutex_pair.cpp with memory in use before the first thread. Argument: bytes.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::vector<char> used(static_cast<std::size_t>(std::atol(arguments[1])), 'x');
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
  std::thread b(work);
  a.join();
  b.join();
  return total == 2 * k_pairs ? 0 : 1;
}
