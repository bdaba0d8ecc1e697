// The counter ends at 1 or 2, and the program accepts both.
#include <cstdio>
#include <thread>

int counter = 0;

int main() {
  std::thread one([] { counter = counter + 1; });
  std::thread two([] { counter = counter + 1; });
  one.join();
  two.join();
  std::printf("%d\n", counter);
  return 0;
}
