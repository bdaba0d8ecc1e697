// A semaphore with one permit is a lock.
#include <semaphore.h>

#include <cassert>
#include <thread>

sem_t permits;
int value = 0;

void work() {
  sem_wait(&permits);
  ++value;
  sem_post(&permits);
}

int main() {
  sem_init(&permits, 0, 1);
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(value == 2);
  sem_destroy(&permits);
  return 0;
}
