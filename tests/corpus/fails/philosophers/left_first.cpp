// Three philosophers; each takes the left fork first.
#include <array>
#include <mutex>
#include <thread>

std::array<std::mutex, 3> forks;

void dine(std::size_t seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % forks.size()]);
}

int main() {
  std::thread first(dine, 0), second(dine, 1), third(dine, 2);
  first.join();
  second.join();
  third.join();
  return 0;
}
