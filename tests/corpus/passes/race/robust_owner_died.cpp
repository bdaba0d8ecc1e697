// A thread ends while it holds a robust mutex. Who locks it next sees all that the thread did.
#include <cassert>
#include <cerrno>
#include <pthread.h>
#include <thread>

pthread_mutex_t mutex;
int value = 0;

void add_and_die() {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  ++value;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  std::thread one(add_and_die);
  std::thread two(add_and_die);
  const int result = pthread_mutex_lock(&mutex);
  assert(result == (value == 0 ? 0 : EOWNERDEAD));
  if (result == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
  one.join();
  two.join();
  assert(value == 2);
  return 0;
}
