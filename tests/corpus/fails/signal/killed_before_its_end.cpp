// A signal whose default action ends the process is sent to a thread that may have ended before.
#include <csignal>
#include <pthread.h>

int g_done = 0;

void* work(void*) {
  g_done = 1;
  return nullptr;
}

int main() {
  pthread_t worker{};
  pthread_create(&worker, nullptr, work, nullptr);
  pthread_kill(worker, SIGUSR1);
  pthread_join(worker, nullptr);
}
