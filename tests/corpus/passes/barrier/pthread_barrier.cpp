// pthread_barrier: there is exactly one serial thread, and no thread passes early.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <thread>

pthread_barrier_t barrier;
std::atomic<int> arrived{0}, serial{0};

void work() {
  arrived.fetch_add(1);
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial.fetch_add(1);
  assert(arrived.load() == 2);
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread one(work), two(work);
  one.join();
  two.join();
  assert(serial.load() == 1);
  pthread_barrier_destroy(&barrier);
  return 0;
}
