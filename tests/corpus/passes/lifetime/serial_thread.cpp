// The serial thread destroys the barrier, and uses its memory for something else, before the other thread has
// left.
#include <cstring>
#include <pthread.h>
#include <thread>

namespace {

pthread_barrier_t barrier;

void meet() {
  if (pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
  pthread_barrier_destroy(&barrier);
  std::memset(&barrier, 1, sizeof barrier);
}

} // namespace

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread other(meet);
  meet();
  other.join();
}
