// std::call_once: the function runs once, and all threads wait for it.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int made = 0;

void use() {
  std::call_once(flag, [] { ++made; });
  assert(made == 1);
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  assert(made == 1);
  return 0;
}
