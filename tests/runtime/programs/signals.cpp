// Signals: to threads and to the process, handlers, masks, waits, timers.
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <string>
#include <thread>

#include <pthread.h>
#include <semaphore.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

std::atomic<int> g_seen{0};
volatile sig_atomic_t g_flag = 0;
thread_local int t_thread = 0;

void on_signal(int number) { g_seen = number * 10 + t_thread; }
void set_flag(int) { g_flag = 1; }

sigset_t set_of(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  return set;
}

void block(int number) {
  const sigset_t set = set_of(number);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void handle(int number, void (*handler)(int), int flags = 0) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

template <class Function>
pthread_t start(Function) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return Function()(), nullptr; }, nullptr);
  return thread;
}

// The usual pattern: all signals are blocked, and one thread waits for them.
void signal_thread() {
  block(SIGTERM);
  static std::mutex mutex;
  static std::string log;
  const pthread_t waiter = start([] {
    const sigset_t set = set_of(SIGTERM);
    int number = 0;
    sigwait(&set, &number);
    const std::lock_guard lock(mutex);
    log += number == SIGTERM ? 's' : '?';
  });
  std::thread worker([] {
    const std::lock_guard lock(mutex);
    log += 'w';
  });
  kill(getpid(), SIGTERM);
  pthread_join(waiter, nullptr);
  worker.join();
  std::printf("%s\n", log.c_str());
}

// The handler runs on the thread to which the signal was sent.
void to_a_thread() {
  handle(SIGUSR1, on_signal);
  static sem_t go;
  const pthread_t thread = start([] {
    t_thread = 1;
    while (sem_wait(&go) != 0) {
    }
  });
  pthread_kill(thread, SIGUSR1);
  sem_post(&go);
  pthread_join(thread, nullptr);
  std::printf("%d\n", g_seen.load());
}

void ended_before() {
  handle(SIGUSR1, on_signal);
  const pthread_t thread = start([] { sched_yield(); });
  const int error = pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  std::printf("%d %d\n", error, g_seen.load());
}

void raised() {
  handle(SIGUSR1, on_signal);
  std::thread([] {
    t_thread = 1;
    raise(SIGUSR1);
    std::printf("%d ", g_seen.load());
    t_thread = 2;
    syscall(SYS_tgkill, getpid(), static_cast<pid_t>(syscall(SYS_gettid)), SIGUSR1);
    std::printf("%d\n", g_seen.load());
  }).join();
}

void pending_while_blocked() {
  handle(SIGUSR1, on_signal);
  std::thread([] {
    block(SIGUSR1);
    raise(SIGUSR1);
    sigset_t set;
    sigpending(&set);
    std::printf("%d%d ", sigismember(&set, SIGUSR1), g_seen.load());
    set = set_of(SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    sigpending(&set);
    std::printf("%d%d\n", sigismember(&set, SIGUSR1), g_seen.load());
  }).join();
}

// Each thread has a mask. Threads that it creates inherit the mask.
void masks() {
  block(SIGUSR1);
  std::thread([] {
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, nullptr, &set);
    std::printf("%d", sigismember(&set, SIGUSR1));
    block(SIGUSR2);
  }).join();
  sigset_t set;
  pthread_sigmask(SIG_SETMASK, nullptr, &set);
  std::printf("%d%d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2));
}

// If the signal comes between the check and the pause, it is lost.
void pause_race() {
  handle(SIGUSR1, set_flag);
  const pthread_t thread = start([] {
    sched_yield();
    if (g_flag == 0) pause();
  });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  std::printf("woken\n");
}

void suspended() {
  handle(SIGUSR1, set_flag);
  block(SIGUSR1);
  const pthread_t thread = start([] {
    sigset_t none;
    sigemptyset(&none);
    while (g_flag == 0) sigsuspend(&none);
  });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
  std::printf("woken\n");
}

void interrupted_sleep() {
  handle(SIGUSR1, set_flag, SA_RESTART);
  const pthread_t thread = start([] { std::printf("%s\n", sleep(10) == 10 ? "early" : "slept"); });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

void interrupted_semaphore(int flags) {
  handle(SIGUSR1, set_flag, flags);
  static sem_t empty;
  const pthread_t thread = start([] {
    std::printf("%s\n", sem_wait(&empty) == 0 ? "got" : errno == EINTR ? "EINTR" : "?");
  });
  pthread_kill(thread, SIGUSR1);
  if (flags != 0) sem_post(&empty);
  pthread_join(thread, nullptr);
}
void semaphore_interrupted() { interrupted_semaphore(0); }
void semaphore_restarted() { interrupted_semaphore(SA_RESTART); }

// A handler does not end the wait for a lock or a join.
void lock_goes_on() {
  handle(SIGUSR1, on_signal);
  static std::mutex mutex;
  mutex.lock();
  const pthread_t thread = start([] {
    t_thread = 1;
    mutex.lock();
    std::printf("%d\n", g_seen.load());
  });
  pthread_kill(thread, SIGUSR1);
  mutex.unlock();
  pthread_join(thread, nullptr);
}

// A handler may post. Here it runs on the thread that waits for the semaphore.
void handler_posts() {
  static sem_t semaphore;
  handle(SIGUSR1, [](int) { sem_post(&semaphore); });
  const pthread_t thread = start([] {
    while (sem_wait(&semaphore) != 0) {
    }
    std::printf("posted\n");
  });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

void queued_values() {
  block(SIGRTMIN);
  const pthread_t thread = start([] {
    const sigset_t set = set_of(SIGRTMIN);
    siginfo_t details;
    for (int i = 0; i < 3; ++i) {
      sigwaitinfo(&set, &details);
      std::printf("%d", details.si_value.sival_int);
    }
    std::printf("\n");
  });
  for (int i = 1; i <= 3; ++i) pthread_sigqueue(thread, SIGRTMIN, {.sival_int = i});
  pthread_join(thread, nullptr);
}

void timed_wait() {
  block(SIGUSR1);
  const pthread_t thread = start([] {
    const sigset_t set = set_of(SIGUSR1);
    const timespec second{1, 0};
    std::printf("%s\n", sigtimedwait(&set, nullptr, &second) == SIGUSR1 ? "got"
                        : errno == EAGAIN                               ? "late"
                                                                        : "?");
  });
  usleep(10);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

void timed_wait_late() {
  std::thread([] {
    const sigset_t set = set_of(SIGUSR1);
    const timespec second{1, 0};
    std::printf("%s\n", sigtimedwait(&set, nullptr, &second) < 0 && errno == EAGAIN ? "late" : "?");
  }).join();
}

void alarms() {
  handle(SIGALRM, on_signal);
  static sem_t never;
  std::thread thread([] {
    const timespec later{2000000000, 0};
    sem_timedwait(&never, &later);
  });
  alarm(5);
  const unsigned left = sleep(60); // main handles the signal
  std::printf("%d %u\n", g_seen.load(), left);
  sem_post(&never);
  thread.join();
}

// A test may use an alarm to end itself if it hangs. The alarm does not hide the reason for the hang.
void guarded() {
  alarm(60);
  std::thread([] {
    std::mutex mutex;
    mutex.lock();
    mutex.lock();
  }).join();
}

void ended_by_alarm() {
  std::thread thread([] { alarm(5); });
  thread.join();
  sleep(60);
  std::printf("unreachable\n");
}

void repeated_timer() {
  static std::atomic<int> ticks{0};
  handle(SIGALRM, [](int) { ++ticks; });
  std::thread thread([] {
    const itimerval every{{1, 0}, {1, 0}};
    setitimer(ITIMER_REAL, &every, nullptr);
    while (ticks < 3) usleep(500000);
    const itimerval none{};
    setitimer(ITIMER_REAL, &none, nullptr);
  });
  thread.join();
  std::printf("%d\n", ticks.load());
}

void timer_to_thread() {
  block(SIGUSR2);
  std::thread([] {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR2;
    event.sigev_value.sival_int = 7;
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    const itimerspec once{{0, 0}, {3, 0}};
    timer_settime(timer, 0, &once, nullptr);
    const sigset_t set = set_of(SIGUSR2);
    siginfo_t details;
    const int number = sigwaitinfo(&set, &details);
    std::printf("%d %d %d\n", number == SIGUSR2, details.si_value.sival_int, timer_delete(timer));
  }).join();
}

void timer_in_thread() {
  std::thread([] {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD;
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
  }).join();
}

void killed() {
  std::thread thread([] {});
  thread.join();
  kill(getpid(), SIGTERM);
  std::printf("unreachable\n");
}

void ignored() {
  std::signal(SIGTERM, SIG_IGN);
  std::thread thread([] { raise(SIGCHLD); });
  kill(getpid(), SIGTERM);
  thread.join();
  std::printf("alive\n");
}

// The next execution does not find what one execution has installed.
void installed_in_a_thread() {
  std::thread thread([] {
    struct sigaction before {};
    sigaction(SIGUSR1, nullptr, &before);
    handle(SIGUSR1, on_signal);
    std::printf("%s\n", before.sa_handler == SIG_DFL ? "default" : "changed");
  });
  std::thread other([] { sched_yield(); });
  thread.join();
  other.join();
}

void jumps_out() {
  static sigjmp_buf back;
  handle(SIGUSR1, [](int) { siglongjmp(back, 1); });
  std::thread([] {
    static int turn = 0;
    for (turn = 0; turn < 2; ++turn)
      if (sigsetjmp(back, 1) == 0) {
        raise(SIGUSR1);
        std::printf("never");
      } else {
        std::printf("out ");
      }
  }).join();
  std::printf("\n");
}

void broken_pipe() {
  std::signal(SIGPIPE, SIG_IGN);
  std::thread([] {
    int ends[2];
    if (pipe(ends) != 0) return;
    close(ends[0]);
    const bool failed = write(ends[1], "x", 1) < 0 && errno == EPIPE;
    std::printf("%s\n", failed ? "EPIPE" : "?");
  }).join();
}

// The kernel delivers signals between processes: a child handles those that its parent sends.
void other_process() {
  handle(SIGTERM, [](int) { _exit(7); });
  std::thread([] {
    const pid_t child = fork();
    if (child == 0) {
      raise(SIGTERM);
      _exit(1);
    }
    const pid_t sleeper = fork();
    if (sleeper == 0)
      for (;;) {
        [[maybe_unused]] const long paused = syscall(SYS_pause);
      }
    kill(sleeper, SIGTERM);
    int one = 0;
    int two = 0;
    waitpid(child, &one, 0);
    waitpid(sleeper, &two, 0);
    std::printf("%d %d\n", WEXITSTATUS(one), WEXITSTATUS(two));
  }).join();
}

void from_descriptor() {
  std::thread([] {
    const sigset_t set = set_of(SIGUSR1);
    signalfd(-1, &set, 0);
  }).join();
}

void aborts() {
  handle(SIGABRT, [](int) { _exit(3); });
  std::thread([] { std::abort(); }).join();
}

constexpr Scenario k_scenarios[] = {
    {"signal_thread", signal_thread},
    {"to_a_thread", to_a_thread},
    {"ended_before", ended_before},
    {"raised", raised},
    {"pending_while_blocked", pending_while_blocked},
    {"masks", masks},
    {"pause_race", pause_race},
    {"suspended", suspended},
    {"interrupted_sleep", interrupted_sleep},
    {"semaphore_interrupted", semaphore_interrupted},
    {"semaphore_restarted", semaphore_restarted},
    {"lock_goes_on", lock_goes_on},
    {"handler_posts", handler_posts},
    {"queued_values", queued_values},
    {"timed_wait", timed_wait},
    {"timed_wait_late", timed_wait_late},
    {"alarms", alarms},
    {"guarded", guarded},
    {"ended_by_alarm", ended_by_alarm},
    {"repeated_timer", repeated_timer},
    {"timer_to_thread", timer_to_thread},
    {"timer_in_thread", timer_in_thread},
    {"killed", killed},
    {"ignored", ignored},
    {"installed_in_a_thread", installed_in_a_thread},
    {"jumps_out", jumps_out},
    {"broken_pipe", broken_pipe},
    {"aborts", aborts},
    {"other_process", other_process},
    {"from_descriptor", from_descriptor},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
