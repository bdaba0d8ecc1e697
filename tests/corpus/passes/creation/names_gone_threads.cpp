// A thread names others that were detached, or joined, and have ended. This is undefined, but has no
// consequence as long as the C library keeps their stacks.
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <pthread.h>
#include <semaphore.h>

sem_t ended;

void* detached(void*) {
  pthread_detach(pthread_self());
  sem_post(&ended);
  return nullptr;
}
void* joined(void*) { return nullptr; }

int main() {
  sem_init(&ended, 0, 0);
  pthread_t one, other;
  pthread_create(&one, nullptr, detached, nullptr);
  pthread_create(&other, nullptr, joined, nullptr);
  pthread_kill(other, 0); // not joined yet
  pthread_join(other, nullptr);
  sem_wait(&ended);
  const int error = pthread_kill(one, 0); // in some schedules it has ended
  if (error != 0 && error != ESRCH) std::abort();
  if (pthread_join(other, nullptr) != ESRCH) std::abort();
  return 0;
}
