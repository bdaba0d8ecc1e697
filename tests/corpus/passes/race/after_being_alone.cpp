// Main has been the only thread for a while; then it races with a new one.
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
