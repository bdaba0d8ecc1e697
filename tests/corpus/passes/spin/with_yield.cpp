// A spin loop that yields ends, because the other thread runs at last.
#include <atomic>
#include <thread>

std::atomic<bool> ready{false};

int main() {
  std::thread spinner([] {
    while (!ready.load()) std::this_thread::yield();
  });
  ready.store(true);
  spinner.join();
  return 0;
}
