// Both threads read the counter before either has written it. Nothing but plain accesses: only because they
// race are they scheduling points.
#include <cassert>
#include <thread>

int counter = 0;

void increment() { counter = counter + 1; }

int main() {
  std::thread one(increment), two(increment);
  one.join();
  two.join();
  assert(counter == 2);
  return 0;
}
