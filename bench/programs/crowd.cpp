// Many threads add to one atomic variable: as many additions in all, however many threads there are.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int threads = std::atoi(arguments[1]);
  const int additions = std::atoi(arguments[2]) / threads;
  std::atomic<int> sum{0};
  std::vector<std::thread> crowd;
  for (int i = 0; i < threads; ++i)
    crowd.emplace_back([&sum, additions] {
      for (int k = 0; k < additions; ++k) sum.fetch_add(1);
    });
  for (std::thread& thread : crowd) thread.join();
  return sum == threads * additions ? 0 : 1;
}
