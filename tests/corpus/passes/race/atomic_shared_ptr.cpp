// A shared pointer is replaced while it is read, through std::atomic: no race.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(1)};

int main() {
  std::thread writer([] { shared.store(std::make_shared<int>(2)); });
  std::thread reader([] { std::printf("%d\n", *shared.load()); });
  writer.join();
  reader.join();
  return 0;
}
