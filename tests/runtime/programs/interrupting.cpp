// Signal handlers that come in the middle of plain code, between two visible operations of their thread.
#include <atomic>
#include <csignal>
#include <thread>

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "scenario.h"

namespace {

sem_t g_begin, g_end;
volatile int g_first = 0, g_second = 0;
volatile int g_seen_first = -1, g_seen_second = -1;

void look(int) {
  g_seen_first = g_first;
  g_seen_second = g_second;
}

void print_seen() { std::printf("%d%d\n", int{g_seen_first}, int{g_seen_second}); }

void pass(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0) {
  }
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigaction(number, &action, nullptr);
}

// The work of a thread that gets the signals before it ends. It has begun when they are sent.
template <class Work>
void interrupted(const Work& work, std::initializer_list<int> signals) {
  std::thread worker([&] {
    sem_post(&g_begin);
    work();
    pass(g_end);
  });
  pass(g_begin);
  for (const int number : signals) pthread_kill(worker.native_handle(), number);
  sem_post(&g_end);
  worker.join();
}

void set_both() {
  g_first = 1;
  g_second = 1;
}

void reads() { // the handler
  handle(SIGUSR1, look);
  interrupted(set_both, {SIGUSR1});
  print_seen();
}

void writes() { // the handler
  handle(SIGUSR1, [](int) { g_first = 1; });
  interrupted(
      [] {
        g_seen_first = g_first;
        g_seen_second = g_first;
      },
      {SIGUSR1});
  print_seen();
}

void loses() { // an update
  handle(SIGUSR1, [](int) { g_first = g_first + 1; });
  interrupted([] { g_first = g_first + 1; }, {SIGUSR1});
  std::printf("%d\n", int{g_first});
}

void sees_another() { // handler, which came before it
  handle(SIGUSR1, [](int) { set_both(); });
  handle(SIGUSR2, look);
  interrupted([] {}, {SIGUSR1, SIGUSR2});
  print_seen();
}

void is_called() { // by the thread itself, which has written before
  handle(SIGUSR1, look);
  interrupted(
      [] {
        g_first = 1;
        raise(SIGUSR1);
        g_second = 1;
      },
      {});
  print_seen();
}

void is_let_in() { // where the thread has written
  handle(SIGUSR1, look);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  interrupted(
      [&set] {
        set_both();
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
      },
      {SIGUSR1});
  print_seen();
}

void ends() { // the thread, without a visible operation
  handle(SIGUSR1, look);
  std::thread worker(set_both);
  pthread_kill(worker.native_handle(), SIGUSR1);
  worker.join();
  print_seen();
}

void ends_behind_one() { // as above, with one before what it writes
  handle(SIGUSR1, look);
  std::thread worker([] {
    sem_post(&g_begin);
    set_both();
  });
  pass(g_begin);
  pthread_kill(worker.native_handle(), SIGUSR1);
  worker.join();
  print_seen();
}

// The signal is for the process, and main does not take it.
void ends_in_process() {
  handle(SIGUSR1, look);
  std::thread worker(set_both);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  kill(getpid(), SIGUSR1);
  worker.join();
  print_seen();
}

void ends_before_queueing() {
  handle(SIGUSR1, [](int) { g_first = 1; });
  std::thread worker([] { g_second = 1; });
  const int error = pthread_sigqueue(worker.native_handle(), SIGUSR1, {});
  worker.join();
  std::printf("%d%d\n", error, int{g_first});
}

// The sender goes on, and the thread may see that before the signal arrives, if it does not enter the kernel
// in between, which delivers it.
void goes_on(bool enters_kernel) {
  static std::atomic<int> said, handled;
  handle(SIGUSR1, [](int) { handled = 1; });
  int seen = 0, seen_handled = 0;
  std::thread worker([&] {
    seen = said;
    if (enters_kernel) sched_yield();
    seen_handled = handled;
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  said = 1;
  worker.join();
  std::printf("%d%d%d\n", seen, seen_handled, handled.load());
}

constexpr Scenario k_scenarios[] = {
    {"reads", reads},
    {"writes", writes},
    {"loses", loses},
    {"sees_another", sees_another},
    {"is_called", is_called},
    {"is_let_in", is_let_in},
    {"ends", ends},
    {"ends_behind_one", ends_behind_one},
    {"ends_in_process", ends_in_process},
    {"ends_before_queueing", ends_before_queueing},
    {"comes_late", [] { goes_on(false); }},
    {"comes_in_kernel", [] { goes_on(true); }},
};

} // namespace

int main(int argc, char** argv) {
  sem_init(&g_begin, 0, 0);
  sem_init(&g_end, 0, 0);
  return run_scenario(k_scenarios, argc, argv);
}
