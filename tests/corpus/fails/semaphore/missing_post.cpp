// One of the ways out of the section does not post the semaphore.
#include <semaphore.h>

#include <thread>

sem_t permits;
int value = 0;

void work(bool early) {
  sem_wait(&permits);
  if (early) return;
  ++value;
  sem_post(&permits);
}

int main() {
  sem_init(&permits, 0, 1);
  std::thread one(work, false), two(work, true), three(work, false);
  one.join();
  two.join();
  three.join();
  sem_destroy(&permits);
  return 0;
}
