// A data race that occurs only with three switches between two threads, two of which are preemptions.
#include <atomic>
#include <cstdio>
#include <thread>

int main() {
  std::atomic<int> stage{0};
  int count = 0;
  std::thread one([&] {
    stage.store(1);
    stage.store(2);
    ++count;
  });
  std::thread two([&] {
    if (stage.load() == 0 && stage.load() == 1) ++count;
  });
  one.join();
  two.join();
  std::printf("%d\n", count);
}
