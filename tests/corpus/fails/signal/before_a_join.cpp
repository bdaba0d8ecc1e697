// A thread is about to be joined, and has one write left to make. The handler of a signal, on the thread that
// joins it, comes before the join and so, perhaps, before that write.
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <semaphore.h>
#include <thread>

int g_state = 0;
sem_t g_works, g_joins;

int main() {
  std::signal(SIGUSR1, [](int) { g_state = 2; });
  sem_init(&g_works, 0, 0);
  sem_init(&g_joins, 0, 0);
  const pthread_t joiner = pthread_self();
  std::thread worker([] {
    sem_post(&g_works);
    g_state = 1;
  });
  std::thread sender([&] {
    sem_wait(&g_joins);
    pthread_kill(joiner, SIGUSR1);
  });
  sem_wait(&g_works);
  sem_post(&g_joins);
  worker.join();
  sender.join();
  assert(g_state == 2);
}
