// Nothing orders the destruction of the mutex with the other thread's use of it.
#include <pthread.h>
#include <thread>

namespace {

pthread_mutex_t mutex;

void use() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

} // namespace

int main() {
  pthread_mutex_init(&mutex, nullptr);
  std::thread other(use);
  pthread_mutex_destroy(&mutex);
  other.join();
}
