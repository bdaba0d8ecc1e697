// Signals: to threads and to the process, handlers, masks, waits, timers.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
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

// The handler waits and writes while there is no second thread yet.
void before_threads() {
  handle(SIGUSR1, [](int number) {
    write(1, "h", 1);
    usleep(10);
    on_signal(number);
  });
  for (int i = 0; i < 3; ++i) raise(SIGUSR1);
  std::printf(" %d\n", g_seen.load());
  std::thread([] {}).join();
}

// A signal that is pending ends a call whose own mask lets it in, and stays pending where the call need not
// wait.
void let_in_before_threads() {
  handle(SIGUSR1, on_signal);
  block(SIGUSR1);
  int ends[2];
  assert(pipe(ends) == 0);
  const int epoll = epoll_create1(0);
  epoll_event event{EPOLLIN, {}};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
  pollfd asked{ends[0], POLLIN, 0};
  sigset_t none;
  sigemptyset(&none);
  for (const bool written : {false, true}) {
    raise(SIGUSR1);
    if (written) assert(write(ends[1], "x", 1) == 1);
    const int answer = epoll_pwait(epoll, &event, 1, -1, &none);
    std::printf("%d %d ", answer, g_seen.exchange(0));
    if (!written) raise(SIGUSR1);
    const int second = ppoll(&asked, 1, nullptr, &none);
    std::printf("%d %d ", second, g_seen.exchange(0));
  }
  std::thread([] {}).join();
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

// The kernel looks at the word again, and goes on waiting.
void interrupted_futex(int flags) {
  handle(SIGUSR1, set_flag, flags);
  static std::atomic<int> word{0};
  const pthread_t thread = start([] {
    const long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr);
    std::printf("%s\n", result == 0 ? "woken" : errno == EINTR ? "EINTR" : "changed");
  });
  pthread_kill(thread, SIGUSR1);
  word = 1;
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
  pthread_join(thread, nullptr);
}
void futex_interrupted() { interrupted_futex(0); }
void futex_restarted() { interrupted_futex(SA_RESTART); }

// The sender has slept, so the thread waits already.
void interrupted_after_a_sleep() {
  handle(SIGUSR1, set_flag);
  static sem_t empty;
  const pthread_t thread = start([] {
    std::printf("%s\n", sem_wait(&empty) == 0 ? "got" : errno == EINTR ? "EINTR" : "?");
  });
  sleep(1);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

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

// As threads of libraries do, which block all signals.
void guarded_beside_blocker() {
  alarm(60);
  std::thread([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::mutex mutex;
    mutex.lock();
    mutex.lock();
  }).join();
}

// A loop that looks at the clock in each turn does not take the time that this makes.
void guarded_beside_clock() {
  static std::atomic<std::int64_t> last{0};
  alarm(60);
  std::thread([] {}).join();
  for (int i = 0; i < 5000; ++i) last = std::chrono::steady_clock::now().time_since_epoch().count();
  std::printf("%d\n", alarm(0) != 0);
}

// A timer that tells nobody runs off like the clock.
void silent_timer_beside_clock() {
  sigevent nobody{};
  nobody.sigev_notify = SIGEV_NONE;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &nobody, &timer);
  std::thread([] {}).join();
  const itimerspec once{{0, 0}, {0, 100000000}};
  timer_settime(timer, 0, &once, nullptr);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  while (std::chrono::steady_clock::now() < end) {
  }
  itimerspec left{};
  timer_gettime(timer, &left);
  std::printf("%ld %ld\n", left.it_value.tv_sec, left.it_value.tv_nsec);
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

// As on Linux: the thread that runs as the time is up, although main could take the signal.
void processor_timer() {
  static std::atomic<int> receiver{-1};
  handle(SIGPROF, [](int) { receiver = t_thread; });
  std::thread([] {
    t_thread = 1;
    const itimerval once{{0, 0}, {1, 0}};
    setitimer(ITIMER_PROF, &once, nullptr);
    while (receiver < 0) sched_yield();
  }).join();
  std::printf("%d\n", receiver.load());
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

// Two timers start a thread each.
sem_t g_started;
std::atomic<int> g_runs[2];

void started_by_timer(sigval value) {
  ++g_runs[value.sival_int];
  sem_post(&g_started);
}

timer_t thread_timer(int number, const pthread_attr_t* attributes) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = started_by_timer;
  event.sigev_notify_attributes = const_cast<pthread_attr_t*>(attributes);
  event.sigev_value.sival_int = number;
  timer_t timer{};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  return timer;
}

void timer_starts_threads() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  const timer_t first = thread_timer(0, &attributes);
  pthread_attr_destroy(&attributes);
  const timer_t second = thread_timer(1, nullptr);
  const itimerspec later{{0, 0}, {0, 1000000}};
  timer_settime(first, 0, &later, nullptr);
  timer_settime(second, 0, &later, nullptr);
  for (int i = 0; i < 2; ++i)
    while (sem_wait(&g_started) != 0) {
    }
  const int deleted = timer_delete(first) + timer_delete(second);
  std::printf("%d %d %d", g_runs[0].load(), g_runs[1].load(), deleted);
}

// What was deleted before its signal came starts nothing.
void deleted_timer_starts_nothing() {
  const timer_t timer = thread_timer(0, nullptr);
  const itimerspec later{{0, 0}, {1000, 0}};
  timer_settime(timer, 0, &later, nullptr);
  timer_delete(timer);
  std::thread([] { sleep(2000); }).join();
  std::printf("%d", g_runs[0].load());
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

// A fault is real, so the kernel has the action, too. Each execution begins without it, and a framework sets
// it back in the end.
void fault_handled_late() {
  static sigjmp_buf back;
  const pthread_t thread = start([] { handle(SIGILL, [](int) { siglongjmp(back, 1); }); });
  sched_yield();
  if (sigsetjmp(back, 1) == 0) {
    asm volatile("ud2");
  }
  pthread_join(thread, nullptr);
  handle(SIGILL, SIG_DFL);
  std::printf("caught");
}

// The default action of a fault that the test has set itself.
void fault_set_to_default() {
  handle(SIGILL, [](int) {});
  const pthread_t thread = start([] { handle(SIGILL, SIG_DFL); });
  pthread_join(thread, nullptr);
  asm volatile("ud2");
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

void aborts() {
  handle(SIGABRT, [](int) { _exit(3); });
  std::thread([] { std::abort(); }).join();
}

// A handler does not end the wait of a condition, whatever it does.
void condition_goes_on() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  handle(SIGUSR1, on_signal);
  const pthread_t thread = start([] {
    pthread_mutex_lock(&mutex);
    const timespec later{2000000000, 0};
    const int error = pthread_cond_timedwait(&condition, &mutex, &later);
    std::printf("%s", error == ETIMEDOUT ? "late" : "woken");
    pthread_mutex_unlock(&mutex);
  });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

// A notification that comes while the handler runs is not lost.
void notified_in_a_handler() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static sem_t entered, leave;
  handle(SIGUSR1, [](int) {
    sem_post(&entered);
    while (sem_wait(&leave) != 0) {
    }
  });
  static bool waiting = false;
  const pthread_t thread = start([] {
    pthread_mutex_lock(&mutex);
    waiting = true;
    pthread_cond_wait(&condition, &mutex);
    std::printf("woken");
    pthread_mutex_unlock(&mutex);
  });
  for (bool there = false; !there;) {
    pthread_mutex_lock(&mutex);
    there = waiting;
    pthread_mutex_unlock(&mutex);
    if (!there) sched_yield();
  }
  pthread_kill(thread, SIGUSR1);
  sem_wait(&entered);
  pthread_cond_signal(&condition);
  sem_post(&leave);
  pthread_join(thread, nullptr);
}

char g_room[2];

// Without SA_RESTART a handler ends the wait for a descriptor. (It may also run before the wait.)
void interrupted_read(int flags) {
  handle(SIGUSR1, set_flag, flags);
  static int ends[2];
  if (pipe(ends) != 0) return;
  const pthread_t thread = start([] {
    const ssize_t got = read(ends[0], g_room, 1);
    std::printf("%s", got == 1 ? "got" : errno == EINTR ? "EINTR" : "?");
  });
  pthread_kill(thread, SIGUSR1);
  if (write(ends[1], "x", 1) != 1) std::printf("?");
  pthread_join(thread, nullptr);
}
void read_interrupted() { interrupted_read(0); }
void read_restarted() { interrupted_read(SA_RESTART); }

// The mask of pselect holds during the wait.
void waits_with_a_mask() {
  handle(SIGUSR1, set_flag);
  block(SIGUSR1);
  const pthread_t thread = start([] {
    sigset_t none;
    sigemptyset(&none);
    while (g_flag == 0) pselect(0, nullptr, nullptr, nullptr, nullptr, &none);
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    std::printf("woken %d", sigismember(&now, SIGUSR1));
  });
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

// Signals that are unblocked together: the kernel makes a frame for each, the lowest number first. So the
// last one runs first. A thread's own come before those of the process.
void order_of_handlers() {
  static std::string log;
  handle(SIGRTMIN, [](int) { log += 'a'; });
  handle(SIGRTMIN + 1, [](int) { log += 'b'; });
  std::thread([] {
    sigset_t both = set_of(SIGRTMIN);
    sigaddset(&both, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &both, nullptr);
    raise(SIGRTMIN + 1);
    raise(SIGRTMIN);
    pthread_sigmask(SIG_UNBLOCK, &both, nullptr);
  }).join();
  std::printf("%s", log.c_str());
}

// SIGPIPE belongs to the thread that has written.
void handles_a_broken_pipe() {
  handle(SIGPIPE, on_signal);
  std::thread([] {
    t_thread = 1;
    int ends[2];
    if (pipe(ends) != 0) return;
    close(ends[0]);
    const bool failed = write(ends[1], "x", 1) < 0 && errno == EPIPE;
    std::printf("%s %d", failed ? "EPIPE" : "?", g_seen.load());
  }).join();
}

void to_ended_thread() { // or to one that ends
  signal(SIGUSR1, SIG_IGN);
  const pthread_t thread = start([] {});
  sched_yield();
  const int sent = pthread_kill(thread, SIGUSR1);
  const bool takes_any = pthread_kill(thread, 1000) == 0;
  const bool knows_reserved = pthread_kill(thread, 32) == EINVAL;
  const bool is_told = pthread_sigqueue(thread, SIGUSR1, {}) == ESRCH;
  std::printf("%d %d %d %d", sent, takes_any, knows_reserved, is_told);
  pthread_join(thread, nullptr);
}

// The queue tells of a message by a signal.
void message_arrives() {
  static sem_t told;
  static mqd_t queue;
  handle(
      SIGUSR1, [](int) { sem_post(&told); }, SA_RESTART);
  queue = mq_open("/tells", O_CREAT | O_RDWR, 0600, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  mq_notify(queue, &event);
  const pthread_t thread = start([] {
    mq_send(queue, "low", 3, 1);
    mq_send(queue, "high", 4, 2);
  });
  while (sem_wait(&told) != 0) {
  }
  pthread_join(thread, nullptr);
  static char room[8192];
  unsigned priority = 0;
  for (int i = 0; i < 2; ++i) {
    const ssize_t size = mq_receive(queue, room, sizeof room, &priority);
    std::printf("%.*s %u ", static_cast<int>(size), room, priority);
  }
  mq_unlink("/tells");
}

// The queue tells of a message by a thread, which asks to be told of the next one.
mqd_t g_queue;
sem_t g_told;

void told_by_thread(sigval value) {
  static char room[8192];
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = told_by_thread;
  event.sigev_value.sival_int = value.sival_int + 1;
  const int asked = mq_notify(g_queue, &event);
  const ssize_t size = mq_receive(g_queue, room, sizeof room, nullptr);
  std::printf("%d %d %.*s ", value.sival_int, asked, static_cast<int>(size), room);
  sem_post(&g_told);
}

void message_makes_a_thread() {
  g_queue = mq_open("/makes", O_CREAT | O_RDWR, 0600, nullptr);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = told_by_thread;
  event.sigev_notify_attributes = &attributes;
  mq_notify(g_queue, &event);
  std::memset(&attributes, 0xff, sizeof attributes); // the queue has its own copy
  const pthread_t thread = start([] {
    for (const char* text : {"a", "b"}) {
      mq_send(g_queue, text, 1, 0);
      while (sem_wait(&g_told) != 0) {
      }
    }
  });
  pthread_join(thread, nullptr);
  mq_unlink("/makes");
}

bool has_stack() {
  stack_t found{};
  sigaltstack(nullptr, &found);
  return (found.ss_flags & SS_DISABLE) == 0;
}

void stacks_of_handlers() {
  static char space[16384];
  const stack_t given{space, 0, sizeof space};
  const stack_t small{space, 0, 100};
  const stack_t none{nullptr, SS_DISABLE, 0};
  std::printf("%d", has_stack());
  sigaltstack(&given, nullptr);
  pthread_join(start([] { std::printf(" %d", has_stack()); }), nullptr);
  const bool refused = sigaltstack(&small, nullptr) == -1 && errno == ENOMEM;
  stack_t found{};
  sigaltstack(&none, &found);
  std::printf(" %d %d %d", refused, found.ss_sp == space && found.ss_size == sizeof space, has_stack());
}

std::atomic<const char*> g_stack_of_waiter{nullptr};
std::atomic<int> g_told_of_place{0};

__attribute__((noinline)) void wait_for_handler() {
  const char here = 0;
  g_stack_of_waiter = &here;
  while (__atomic_load_n(&g_flag, __ATOMIC_SEQ_CST) == 0) {
  }
}

void look_at_place(int, siginfo_t*, void* argument) {
  auto& context = *static_cast<ucontext_t*>(argument);
  const auto* const pc = reinterpret_cast<const char*>(context.uc_mcontext.gregs[REG_RIP]);
  const auto* const stack = reinterpret_cast<const char*>(context.uc_mcontext.gregs[REG_RSP]);
  const auto* const function = reinterpret_cast<const char*>(&wait_for_handler);
  const bool in_function = pc > function && pc < function + 512;
  const bool on_stack = stack < g_stack_of_waiter + 512 && stack > g_stack_of_waiter - 512;
  g_told_of_place = in_function * 10 + on_stack;
  sigaddset(&context.uc_sigmask, SIGUSR2);
  g_flag = 1;
}

// The handler is told where its thread was, and may change the mask that its thread has afterwards.
void place_of_the_signal() {
  struct sigaction action {};
  action.sa_sigaction = look_at_place;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  const pthread_t thread = start([] {
    wait_for_handler();
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    std::printf("%02d %d %d\n", g_told_of_place.load(), sigismember(&now, SIGUSR1),
                sigismember(&now, SIGUSR2));
  });
  while (g_stack_of_waiter == nullptr) sched_yield();
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, nullptr);
}

constexpr Scenario k_scenarios[] = {
    {"signal_thread", signal_thread},
    {"futex_interrupted", futex_interrupted},
    {"futex_restarted", futex_restarted},
    {"processor_timer", processor_timer},
    {"to_a_thread", to_a_thread},
    {"ended_before", ended_before},
    {"raised", raised},
    {"before_threads", before_threads},
    {"let_in_before_threads", let_in_before_threads},
    {"pending_while_blocked", pending_while_blocked},
    {"masks", masks},
    {"pause_race", pause_race},
    {"suspended", suspended},
    {"interrupted_sleep", interrupted_sleep},
    {"semaphore_interrupted", semaphore_interrupted},
    {"semaphore_restarted", semaphore_restarted},
    {"interrupted_after_a_sleep", interrupted_after_a_sleep},
    {"lock_goes_on", lock_goes_on},
    {"handler_posts", handler_posts},
    {"queued_values", queued_values},
    {"timed_wait", timed_wait},
    {"timed_wait_late", timed_wait_late},
    {"alarms", alarms},
    {"guarded", guarded},
    {"guarded_beside_clock", guarded_beside_clock},
    {"guarded_beside_blocker", guarded_beside_blocker},
    {"silent_timer_beside_clock", silent_timer_beside_clock},
    {"ended_by_alarm", ended_by_alarm},
    {"repeated_timer", repeated_timer},
    {"timer_to_thread", timer_to_thread},
    {"timer_starts_threads", timer_starts_threads},
    {"deleted_timer_starts_nothing", deleted_timer_starts_nothing},
    {"killed", killed},
    {"ignored", ignored},
    {"installed_in_a_thread", installed_in_a_thread},
    {"jumps_out", jumps_out},
    {"fault_handled_late", fault_handled_late},
    {"fault_set_to_default", fault_set_to_default},
    {"broken_pipe", broken_pipe},
    {"aborts", aborts},
    {"other_process", other_process},
    {"condition_goes_on", condition_goes_on},
    {"notified_in_a_handler", notified_in_a_handler},
    {"read_interrupted", read_interrupted},
    {"read_restarted", read_restarted},
    {"waits_with_a_mask", waits_with_a_mask},
    {"order_of_handlers", order_of_handlers},
    {"stacks_of_handlers", stacks_of_handlers},
    {"place_of_the_signal", place_of_the_signal},
    {"handles_a_broken_pipe", handles_a_broken_pipe},
    {"to_ended_thread", to_ended_thread},
    {"message_arrives", message_arrives},
    {"message_makes_a_thread", message_makes_a_thread},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
