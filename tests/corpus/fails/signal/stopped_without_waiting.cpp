// Main stops a thread by a signal and looks at what it shares with it, but does not wait until it has
// stopped.
#include <atomic>
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>

std::atomic<bool> g_resume{false};
std::atomic<int> g_from{1}, g_to{0};

void stop(int) {
  while (!g_resume) std::this_thread::yield();
}

int main() {
  std::signal(SIGUSR1, stop);
  std::thread mover([] {
    g_to = g_from.load();
    g_from = 0;
  });
  pthread_kill(mover.native_handle(), SIGUSR1);
  const int sum = g_to + g_from;
  g_resume = true;
  mover.join();
  assert(sum != 0);
}
