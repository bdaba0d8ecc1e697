// A detached thread may be at any place when main ends.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> progress{0};

int main() {
  std::thread([] {
    progress.store(1);
    std::printf("detached\n");
    progress.store(2);
  }).detach();
  std::printf("%d\n", progress.load());
  return 0;
}
