// Main stops a thread by a signal, waits until it has stopped, and looks at what it shares with it.
#include <atomic>
#include <cassert>
#include <csignal>
#include <pthread.h>
#include <thread>

std::atomic<bool> g_stopped{false}, g_resume{false};
std::atomic<int> g_from{1}, g_to{0};

void stop(int) {
  g_stopped = true;
  while (!g_resume) std::this_thread::yield();
}

int main() {
  std::signal(SIGUSR1, stop);
  std::thread mover([] {
    g_to = g_from.load();
    g_from = 0;
    while (!g_resume) std::this_thread::yield();
  });
  pthread_kill(mover.native_handle(), SIGUSR1);
  while (!g_stopped) std::this_thread::yield();
  const int sum = g_to + g_from;
  g_resume = true;
  mover.join();
  assert(sum != 0);
}
