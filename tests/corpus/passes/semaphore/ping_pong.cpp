// Two threads take turns with std::binary_semaphore, which uses an atomic and a futex.
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore ping{1}, pong{0};
int turns = 0;

int main() {
  std::thread one([] {
    ping.acquire();
    assert(turns++ == 0);
    pong.release();
  });
  std::thread two([] {
    pong.acquire();
    assert(turns++ == 1);
  });
  one.join();
  two.join();
  assert(turns == 2);
  return 0;
}
