// Both threads read the counter before one of them has written it. All accesses are plain. They are
// scheduling points only because they race.
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
