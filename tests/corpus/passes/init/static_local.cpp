// The first call of a function creates its static object; concurrent calls wait.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> made{0};

struct Service {
  Service() { made.fetch_add(1); }
  int value = 42;
};

int use() {
  static Service service;
  return service.value;
}

int main() {
  std::thread one([] { assert(use() == 42); });
  std::thread two([] { assert(use() == 42); });
  one.join();
  two.join();
  assert(made.load() == 1);
  return 0;
}
