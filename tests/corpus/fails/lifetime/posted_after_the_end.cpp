// A semaphore that was destroyed is used again, in order: no race, and an error all the same.
#include <pthread.h>
#include <semaphore.h>
#include <thread>

int main() {
  static sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread first([] { sem_post(&semaphore); });
  sem_wait(&semaphore);
  first.join();
  sem_destroy(&semaphore);
  std::thread second([] { sem_post(&semaphore); });
  second.join();
}
