// The initialization is ordered before the return from call_once and before the use of a local static: no
// race.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int made = 0;

int local() {
  static const int value = [] { return made + 1; }();
  return value;
}

void use() {
  std::call_once(flag, [] { made = 1; });
  assert(made == 1);
  assert(local() == 2);
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  return 0;
}
