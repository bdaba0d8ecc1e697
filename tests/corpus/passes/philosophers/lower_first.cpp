// Three philosophers; each takes the fork with the lower number first.
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

std::array<std::mutex, 3> forks;

void dine(std::size_t seat) {
  const std::size_t next = (seat + 1) % forks.size();
  std::lock_guard lower(forks[std::min(seat, next)]);
  std::lock_guard upper(forks[std::max(seat, next)]);
}

int main() {
  std::thread first(dine, 0), second(dine, 1), third(dine, 2);
  first.join();
  second.join();
  third.join();
  return 0;
}
