// A handler sees what a thread did before it installed the handler, and what another one did before it set
// the timer.
#include <atomic>
#include <cassert>
#include <csignal>
#include <sched.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

int first = 0, second = 0;
std::atomic<bool> installed = false, handled = false;

void handle(int) {
  assert(first == 1 && second == 2);
  handled = true;
}

int main() {
  std::thread receiver([] {
    while (!handled) usleep(1000);
  });
  sigset_t alarms; // for the receiver alone
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, nullptr);
  std::thread setter([] {
    while (!installed.load(std::memory_order_relaxed)) sched_yield();
    second = 2;
    const itimerval soon{{}, {0, 500}};
    setitimer(ITIMER_REAL, &soon, nullptr);
  });
  first = 1;
  struct sigaction action {};
  action.sa_handler = handle;
  sigaction(SIGALRM, &action, nullptr);
  installed.store(true, std::memory_order_relaxed);
  setter.join();
  receiver.join();
  return 0;
}
