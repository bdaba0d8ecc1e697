// A thread writes two variables and ends. The handler of a signal that it gets may see one of them written.
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>

volatile int g_first = 0, g_second = 0;
volatile bool g_seen = false;

void look(int) {
  if (g_first != g_second) g_seen = true;
}

int main() {
  std::signal(SIGUSR1, look);
  std::thread worker([] {
    g_first = 1;
    g_second = 1;
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  worker.join();
  assert(!g_seen);
}
