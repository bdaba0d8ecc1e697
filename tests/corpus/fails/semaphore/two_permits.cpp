// A semaphore used as a lock, with two permits.
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <thread>

sem_t permits;
std::atomic<int> value{0};

void work() {
  sem_wait(&permits);
  value.store(value.load() + 1);
  sem_post(&permits);
}

int main() {
  sem_init(&permits, 0, 2);
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(value.load() == 2);
  sem_destroy(&permits);
  return 0;
}
