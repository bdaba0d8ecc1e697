// The same as barrier.cpp, with the barrier of POSIX.
#include <cstdio>
#include <pthread.h>
#include <thread>

int data = 0;
pthread_barrier_t barrier;

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread writer([] {
    data = 1;
    pthread_barrier_wait(&barrier);
  });
  std::thread reader([] {
    pthread_barrier_wait(&barrier);
    std::printf("%d\n", data);
  });
  writer.join();
  reader.join();
  return 0;
}
