// A call of std::call_once whose function throws does not count: the next call runs the function again.
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
std::atomic<int> attempts{0};
int made = 0;

void use() {
  for (bool done = false; !done;) {
    try {
      std::call_once(flag, [] {
        if (attempts.fetch_add(1) == 0) throw std::runtime_error("the first attempt fails");
        ++made;
      });
      done = true;
    } catch (const std::runtime_error&) {
      done = false;
    }
  }
  assert(made == 1);
}

int main() {
  std::thread one(use), two(use);
  one.join();
  two.join();
  assert(attempts.load() == 2);
  return 0;
}
