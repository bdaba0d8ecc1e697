// Main is the only thread for a while. Then it races with a new thread.
#include <thread>

int value = 0;
int other = 0;

int main() {
  std::thread first([] { value = 1; });
  first.join();
  value = 2;
  std::thread second([] { other = value; });
  value = 3;
  second.join();
  return other >= 2 ? 0 : 1;
}
