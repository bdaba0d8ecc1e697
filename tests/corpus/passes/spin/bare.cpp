// A spin loop without a yield ends, because the other thread runs at last.
#include <atomic>
#include <thread>

std::atomic<bool> ready{false};

int main() {
  std::thread spinner([] {
    while (!ready.load()) {
    }
  });
  ready.store(true);
  spinner.join();
  return 0;
}
