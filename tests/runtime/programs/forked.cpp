// Processes that the test forks, and what they do beside it: threads of their own, objects that both use.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "channels.h"
#include "scenario.h"

namespace {

// Forks in a thread beside another one, and tells how the child has ended.
template <class Child, class Beside>
void fork_beside(Child in_child, Beside beside) {
  int status = 0;
  std::thread forker([&] {
    const pid_t made = fork();
    if (made == 0) in_child();
    check(waitpid(made, &status, 0) == made, "waitpid");
  });
  std::thread other(beside);
  forker.join();
  other.join();
  if (WIFSIGNALED(status))
    std::printf("signal %d\n", WTERMSIG(status));
  else
    std::printf("status %d\n", WEXITSTATUS(status));
}

template <class Child>
void fork_in_thread(Child in_child) {
  std::atomic<int> turns{0};
  fork_beside(in_child, [&] { ++turns; });
}

volatile std::sig_atomic_t g_signals = 0;

sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  if (signal != 0) sigaddset(&set, signal);
  return set;
}

// The child waits in the kernel: for a signal that it lets in only there, for one that has no handler, and
// for one that comes again until it has been seen.
void waits_for_signals() {
  std::thread forker([] {
    struct sigaction action = {};
    action.sa_handler = [](int) { g_signals = g_signals + 1; };
    sigaction(SIGUSR1, &action, nullptr);
    int status = 0;
    pid_t made = fork();
    if (made == 0) {
      const sigset_t user = set_of(SIGUSR1);
      const sigset_t none = set_of(0);
      sigprocmask(SIG_BLOCK, &user, nullptr);
      kill(getpid(), SIGUSR1);
      const int before = g_signals;
      sigsuspend(&none);
      _exit(10 * before + g_signals);
    }
    waitpid(made, &status, 0);
    std::printf("status %d, ", WEXITSTATUS(status));
    made = fork();
    if (made == 0)
      for (;;) pause();
    kill(made, SIGTERM);
    waitpid(made, &status, 0);
    std::printf("signal %d, ", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    made = fork();
    if (made == 0) {
      while (g_signals == 0) pause();
      _exit(3);
    }
    while (waitpid(made, &status, WNOHANG) == 0) {
      kill(made, SIGUSR1);
      usleep(1000);
    }
    std::printf("status %d\n", WEXITSTATUS(status));
  });
  forker.join();
}

// The child's memory is its own: its accesses are none of the test's.
void writes_its_own() {
  static int value = 0;
  fork_beside(
      [] {
        for (int i = 0; i < 3; ++i) value = i;
        _exit(value);
      },
      [] { value = 7; });
}

// The child has what the other threads have done before the fork, and the locks that they hold then.
void is_forked_beside_an_owner() {
  static std::mutex mutex;
  static int value = 0;
  fork_beside(
      [] {
        const bool free = mutex.try_lock();
        _exit(free ? value : 9);
      },
      [] {
        const std::lock_guard lock(mutex);
        value = 1;
      });
}

// In a child, no other thread goes on while a handler of the fork yields.
void has_a_handler() {
  static std::atomic<int> turns{0};
  static bool alone = false;
  pthread_atfork(nullptr, nullptr, [] {
    const int before = turns;
    for (int i = 0; i < 5; ++i) sched_yield();
    alone = turns == before;
  });
  fork_beside([] { _exit(alone ? 0 : 1); },
              [] {
                for (int i = 0; i < 5; ++i) ++turns;
              });
}

// A thread that has a lock which the handlers take may make a process without them.
void has_no_handler() {
  static std::mutex held;
  pthread_atfork([] { held.lock(); }, [] { held.unlock(); }, [] { held.unlock(); });
  std::thread forker([] {
    held.lock();
    for (pid_t (*make)() : {vfork, _Fork}) {
      const pid_t made = make();
      if (made == 0) _exit(0);
      check(waitpid(made, nullptr, 0) == made, "waitpid");
    }
    held.unlock();
  });
  forker.join();
}

// One waits for the other by all that threads wait with.
[[noreturn]] void work_with_threads() {
  std::mutex mutex;
  std::condition_variable changed;
  int stage = 0;
  thread_local int own = 0;
  const pid_t first = gettid();
  std::thread follower([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stage == 1; });
    own = 5;
    stage = gettid() == first || getpid() != first ? 9 : 2;
    changed.notify_all();
  });
  std::thread sleeper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::lock_guard lock(mutex);
    stage = 1;
    changed.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stage >= 2; });
  }
  bool stop = false;
  std::thread asked([&] {
    const std::lock_guard lock(mutex);
    stop = true;
  });
  for (bool seen = false; !seen;) { // never waits
    const std::lock_guard lock(mutex);
    seen = stop;
  }
  std::atomic<int> turn{0};
  std::thread yielder([&] { turn = 1; });
  while (turn == 0) sched_yield();
  static volatile bool told = false;
  std::thread teller([] { told = true; });
  while (!told) {
  }
  teller.join();
  follower.join();
  sleeper.join();
  asked.join();
  yielder.join();
  std::exit(stage + own);
}

void has_threads() { fork_in_thread(work_with_threads); }

// More than there are stacks, one after the other and at once.
void has_many_threads() {
  fork_in_thread([] {
    int count = 0;
    for (int i = 0; i < 5; ++i) {
      std::thread one([&] { ++count; });
      std::thread two([&] { ++count; });
      one.join();
      two.join();
    }
    std::exit(count);
  });
}

void has_threads_from_the_begin() {
  const pid_t made = fork();
  if (made == 0) work_with_threads();
  int status = 0;
  check(waitpid(made, &status, 0) == made, "waitpid");
  std::thread([&] { std::printf("status %d\n", WEXITSTATUS(status)); }).join();
}

// Threads of the child that wait for descriptors let the others go on. One waits for another process.
void waits_for_descriptors() {
  const Pipe from_parent;
  fork_beside(
      [&] {
        const Pipe first, second;
        int got = 0;
        std::thread reader([&] {
          got += take(first.out()) == 'a' ? 1 : 0;
          put(second.in(), "b");
        });
        std::thread poller([&] {
          pollfd asked{second.out(), POLLIN, 0};
          if (poll(&asked, 1, -1) == 1) got += take(second.out()) == 'b' ? 2 : 0;
        });
        std::thread late([&] { // nothing comes
          const Pipe third;
          pollfd asked{third.out(), POLLIN, 0};
          if (poll(&asked, 1, 5) == 0) got += 4;
        });
        std::thread outside([&] { got += take(from_parent.out()) == 'p' ? 8 : 0; });
        put(first.in(), "a");
        reader.join();
        poller.join();
        late.join();
        outside.join();
        std::exit(got);
      },
      [&] { put(from_parent.in(), "p"); });
}

// A child that stops itself goes on when it is told to.
void goes_on_after_a_stop() {
  std::atomic<int> turns{0};
  int status = 0;
  std::thread other([&] { ++turns; });
  const pid_t made = fork();
  if (made == 0) {
    raise(SIGSTOP);
    raise(SIGTSTP);
    _exit(3);
  }
  for (const int number : {SIGSTOP, SIGTSTP}) {
    check(waitpid(made, &status, WUNTRACED) == made && WIFSTOPPED(status), "waitpid of the stop");
    check(WSTOPSIG(status) == number, "another stop");
    kill(made, SIGCONT);
  }
  check(waitpid(made, &status, 0) == made, "waitpid");
  other.join();
  std::printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

// The last thread ends the process, as exit does.
void ends_with_its_thread() {
  fork_in_thread([] {
    std::atexit([] { raise(SIGUSR1); });
    pthread_exit(nullptr);
  });
}

void* overflow(void* of_first) {
  char own[256];
  std::memset(own, 1, sizeof own);
  void* const first = of_first == nullptr ? static_cast<void*>(own) : of_first;
  if (static_cast<char*>(first) - own > 2 * PTHREAD_STACK_MIN) return nullptr;
  void* const got = overflow(first);
  asm volatile("" : : "r"(own) : "memory");
  return got;
}

// The stack ends where the test wants it to.
void overflows() {
  fork_in_thread([] {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    pthread_t thread;
    check(pthread_create(&thread, &attributes, overflow, nullptr) == 0, "pthread_create");
    pthread_join(thread, nullptr);
    _exit(0);
  });
}

// Objects that processes share.
struct Shared {
  pthread_mutex_t mutex, recursive, robust;
  pthread_cond_t condition;
  pthread_rwlock_t lock;
  pthread_barrier_t barrier;
  sem_t semaphore, answer;
  pthread_mutex_t of_one; // without the attribute
  int stage, count;
};

Shared& make_shared_objects() {
  void* const place =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& made = *static_cast<Shared*>(place);
  pthread_mutexattr_t of_mutex;
  pthread_mutexattr_init(&of_mutex);
  pthread_mutex_init(&made.of_one, &of_mutex);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&made.mutex, &of_mutex);
  pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&made.recursive, &of_mutex);
  pthread_mutexattr_setrobust(&of_mutex, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&made.robust, &of_mutex);
  pthread_condattr_t of_condition;
  pthread_condattr_init(&of_condition);
  pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&made.condition, &of_condition);
  pthread_rwlockattr_t of_lock;
  pthread_rwlockattr_init(&of_lock);
  pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&made.lock, &of_lock);
  pthread_barrierattr_t of_barrier;
  pthread_barrierattr_init(&of_barrier);
  pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&made.barrier, &of_barrier, 2);
  sem_init(&made.semaphore, 1, 0);
  sem_init(&made.answer, 1, 0);
  return made;
}

// A child is another owner, also of a recursive mutex that its forker holds.
void is_another_owner() {
  Shared& shared = make_shared_objects();
  std::thread([&] {
    pthread_mutex_lock(&shared.mutex);
    pthread_mutex_lock(&shared.recursive);
    const pid_t made = fork();
    if (made == 0) {
      const bool busy = pthread_mutex_trylock(&shared.mutex) == EBUSY &&
                        pthread_mutex_trylock(&shared.recursive) == EBUSY &&
                        pthread_mutex_unlock(&shared.recursive) == EPERM;
      pthread_mutex_lock(&shared.recursive); // waits for its parent
      _exit(busy ? ++shared.count : 99);
    }
    pthread_mutex_unlock(&shared.recursive);
    int status = 0;
    check(waitpid(made, &status, 0) == made, "waitpid");
    std::printf("status %d, ended with the lock: %d\n", WEXITSTATUS(status),
                pthread_mutex_trylock(&shared.recursive) == EBUSY);
  }).join();
}

// Parent and child wait for each other at a condition, with all of their threads.
void waits_at_a_condition() {
  Shared& shared = make_shared_objects();
  const auto advance = [&](int from) {
    pthread_mutex_lock(&shared.mutex);
    while (shared.stage != from) pthread_cond_wait(&shared.condition, &shared.mutex);
    ++shared.stage;
    pthread_cond_broadcast(&shared.condition);
    pthread_mutex_unlock(&shared.mutex);
  };
  int status = 0;
  std::thread forker([&] {
    const pid_t made = fork();
    if (made == 0) {
      std::thread helper([&] { advance(1); });
      advance(3);
      helper.join();
      std::exit(shared.stage);
    }
    advance(2);
    check(waitpid(made, &status, 0) == made, "waitpid");
  });
  std::thread other([&] { advance(0); });
  forker.join();
  other.join();
  std::printf("stage %d, status %d\n", shared.stage, WEXITSTATUS(status));
}

// A notification reaches one waiter, in whichever process it is.
void notifies_one() {
  Shared& shared = make_shared_objects();
  std::thread([&] {
    const pid_t made = fork();
    if (made == 0) {
      pthread_mutex_lock(&shared.mutex);
      ++shared.stage;
      pthread_cond_signal(&shared.condition); // nobody waits
      pthread_cond_wait(&shared.condition, &shared.mutex);
      pthread_mutex_unlock(&shared.mutex);
      sem_post(&shared.answer);
      _exit(0);
    }
    for (bool waits = false; !waits; sched_yield()) {
      pthread_mutex_lock(&shared.mutex);
      waits = shared.stage == 1;
      pthread_mutex_unlock(&shared.mutex);
    }
    timespec soon{};
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec = 0; // it has passed
    const int early = sem_timedwait(&shared.answer, &soon) == -1 && errno == ETIMEDOUT;
    pthread_cond_signal(&shared.condition);
    sem_wait(&shared.answer);
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    std::printf("%d\n", early);
  }).join();
}

// What one thread has written before it tells the child is known to the one that the child tells.
void passes_on() {
  Shared& shared = make_shared_objects();
  int value = 0;
  const pid_t made = [&] {
    pid_t result = 0;
    std::thread([&] {
      result = fork();
      if (result != 0) return;
      sem_wait(&shared.semaphore);
      sem_post(&shared.answer);
      _exit(0);
    }).join();
    return result;
  }();
  std::thread reader([&] {
    sem_wait(&shared.answer);
    std::printf("%d\n", value);
  });
  std::thread writer([&] {
    value = 3;
    sem_post(&shared.semaphore);
  });
  reader.join();
  writer.join();
  check(waitpid(made, nullptr, 0) == made, "waitpid");
}

void meets_at_a_barrier() {
  Shared& shared = make_shared_objects();
  std::thread([&] {
    const pid_t made = fork();
    int serial = 0;
    for (int round = 0; round < 3; ++round) {
      if (pthread_barrier_wait(&shared.barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
      pthread_rwlock_wrlock(&shared.lock);
      ++shared.count;
      pthread_rwlock_unlock(&shared.lock);
    }
    if (made == 0) _exit(serial);
    int status = 0;
    check(waitpid(made, &status, 0) == made, "waitpid");
    std::printf("count %d, serial %d\n", shared.count, serial + WEXITSTATUS(status));
  }).join();
}

void owner_dies() {
  Shared& shared = make_shared_objects();
  std::thread([&] {
    const pid_t made = fork();
    if (made == 0) {
      pthread_mutex_lock(&shared.robust);
      sem_post(&shared.answer);
      sem_wait(&shared.semaphore);
      _exit(0);
    }
    sem_wait(&shared.answer);
    const int held = pthread_mutex_trylock(&shared.robust);
    sem_post(&shared.semaphore);
    const int died = pthread_mutex_lock(&shared.robust);
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    std::printf("%d %d\n", held == EBUSY, died == EOWNERDEAD);
  }).join();
}

void shares_before_the_first_thread() {
  Shared& shared = make_shared_objects();
  const pid_t made = fork();
  if (made == 0) {
    usleep(2000);
    pthread_mutex_lock(&shared.mutex);
    shared.stage = 1;
    pthread_cond_signal(&shared.condition);
    pthread_mutex_unlock(&shared.mutex);
    _exit(0);
  }
  pthread_mutex_lock(&shared.mutex);
  while (shared.stage == 0) pthread_cond_wait(&shared.condition, &shared.mutex);
  pthread_mutex_unlock(&shared.mutex);
  check(waitpid(made, nullptr, 0) == made, "waitpid");
  std::thread([&] { std::printf("stage %d\n", ++shared.stage); }).join();
}

void sleep_really(long milliseconds) { // in the child, whose clock is real
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, nullptr);
}

// A thread polls what a child will tell. Time passes as it really does, and not to the end of the sleep.
void polls_beside_a_sleeper() {
  Shared& shared = make_shared_objects();
  std::thread([] {
    sleep(100);
    std::printf("late\n");
    std::exit(1);
  }).detach();
  const pid_t made = fork();
  if (made == 0) {
    sleep_really(30);
    pthread_mutex_lock(&shared.mutex);
    shared.stage = 1;
    pthread_mutex_unlock(&shared.mutex);
    _exit(0);
  }
  for (bool told = false; !told; sched_yield()) {
    pthread_mutex_lock(&shared.mutex);
    told = shared.stage == 1;
    pthread_mutex_unlock(&shared.mutex);
  }
  check(waitpid(made, nullptr, 0) == made, "waitpid");
  std::printf("in time\n");
}

// Others go on while a thread waits for a lock of a file that a child has, and can cancel it.
void waits_for_a_file() {
  Shared& shared = make_shared_objects();
  static const int file = memfd_create("file", 0);
  check(ftruncate(file, 1) == 0, "ftruncate");
  static bool got = false;
  std::thread([&] {
    const pid_t made = fork();
    if (made == 0) {
      check(lockf(file, F_LOCK, 0) == 0, "lockf");
      sem_post(&shared.answer);
      sem_wait(&shared.semaphore);
      _exit(0);
    }
    sem_wait(&shared.answer);
    std::thread waiter([] { got = lockf(file, F_LOCK, 0) == 0; });
    usleep(1000);
    pthread_cancel(waiter.native_handle());
    waiter.join();
    const bool cancelled = !got;
    std::thread second([] { got = lockf(file, F_LOCK, 0) == 0; });
    sem_post(&shared.semaphore);
    second.join();
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    std::printf("%d %d\n", cancelled, got);
  }).join();
}

// Who polls waits for a lock, whose owner waits for a child.
void polls_behind_a_waiter() {
  static std::mutex mutex;
  static bool told = false;
  std::thread waiter([] {
    usleep(1000); // the other one is in its loop
    const std::lock_guard lock(mutex);
    const pid_t made = fork();
    if (made == 0) {
      sleep_really(30);
      _exit(0);
    }
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    told = true;
  });
  for (bool seen = false; !seen; sched_yield()) {
    const std::lock_guard lock(mutex);
    seen = told;
  }
  waiter.join();
  std::printf("told\n");
}

// The child waits from before the first thread on, for what threads do.
void is_left_with_an_object() {
  Shared& shared = make_shared_objects();
  if (fork() == 0) {
    sem_wait(&shared.semaphore);
    _exit(0);
  }
  std::thread([&] { sem_post(&shared.semaphore); }).join();
}

// The child has the lock from before the first thread on.
void is_left_with_a_lock() {
  const int file = memfd_create("file", 0);
  const Pipe locked, end;
  if (fork() == 0) {
    check(lockf(file, F_LOCK, 0) == 0, "lockf");
    put(locked.in(), "x");
    close(end.in());
    _exit(take(end.out()));
  }
  take(locked.out());
  std::thread([&] { check(lockf(file, F_LOCK, 0) == 0, "lockf"); }).join();
}

void wait_for_named(const char* name) {
  sem_t* const named = sem_open(name, O_CREAT, 0600, 0);
  std::thread([&] {
    const pid_t made = fork();
    if (made == 0) {
      sem_post(named);
      _exit(0);
    }
    sem_wait(named);
    check(sem_trywait(named) == -1, "one post");
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    std::printf("posted\n");
  }).join();
}

void posts_a_named_semaphore() {
  std::thread([] { wait_for_named("/reex-forked"); }).join();
}

void opens_a_name_in_a_child() {
  std::thread([] {
    const pid_t made = fork();
    if (made == 0) {
      sem_open("/reex-forked", O_CREAT, 0600, 0);
      _exit(0);
    }
    waitpid(made, nullptr, 0);
  }).join();
}

void posts_an_early_named_semaphore() { wait_for_named("/reex-forked"); }

// What the child prints is never the same. Nobody else waits.
void prints_by_itself() {
  std::thread([] {}).join();
  const pid_t made = fork();
  if (made == 0) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    dprintf(STDOUT_FILENO, "%ld\n", now.tv_nsec);
    _exit(0);
  }
  check(waitpid(made, nullptr, 0) == made, "waitpid");
}

// Neither signals that are pending nor timers are the child's.
void inherits_no_signals() {
  static int handled = 0;
  struct sigaction action {};
  action.sa_handler = [](int) { ++handled; };
  for (const int number : {SIGUSR1, SIGUSR2, SIGALRM}) sigaction(number, &action, nullptr);
  std::thread([] {}).join();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const itimerval soon{{}, {0, 1000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  kill(getpid(), SIGUSR1);
  pthread_kill(pthread_self(), SIGUSR2);
  const pid_t made = fork();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  if (made == 0) _exit(handled);
  int status = 0;
  check(waitpid(made, &status, 0) == made, "waitpid");
  std::printf("%d of %d\n", WEXITSTATUS(status), handled);
}

// A child that a handler has made goes on behind the handler: without control, too.
void is_forked_in_a_handler() {
  static pid_t made = -1;
  static std::atomic<int> turns{0};
  std::signal(SIGUSR1, [](int) { made = fork(); });
  std::thread([] {
    pthread_kill(pthread_self(), SIGUSR1);
    if (made == 0) {
      for (int i = 0; i < 5000; ++i) ++turns;
      _exit(turns == 5000 ? 5 : 1);
    }
    int status = 0;
    check(waitpid(made, &status, 0) == made, "waitpid");
    std::printf("status %d\n", WEXITSTATUS(status));
  }).join();
}

void uses_object_of_one() {
  Shared& shared = make_shared_objects();
  fork_in_thread([&] {
    pthread_mutex_lock(&shared.of_one);
    _exit(0);
  });
}

constexpr Scenario k_scenarios[] = {
    {"waits_for_signals", waits_for_signals},
    {"writes_its_own", writes_its_own},
    {"is_forked_beside_an_owner", is_forked_beside_an_owner},
    {"has_a_handler", has_a_handler},
    {"has_no_handler", has_no_handler},
    {"has_threads", has_threads},
    {"has_many_threads", has_many_threads},
    {"has_threads_from_the_begin", has_threads_from_the_begin},
    {"waits_for_descriptors", waits_for_descriptors},
    {"goes_on_after_a_stop", goes_on_after_a_stop},
    {"ends_with_its_thread", ends_with_its_thread},
    {"overflows", overflows},
    {"is_another_owner", is_another_owner},
    {"waits_at_a_condition", waits_at_a_condition},
    {"notifies_one", notifies_one},
    {"passes_on", passes_on},
    {"meets_at_a_barrier", meets_at_a_barrier},
    {"owner_dies", owner_dies},
    {"shares_before_the_first_thread", shares_before_the_first_thread},
    {"polls_beside_a_sleeper", polls_beside_a_sleeper},
    {"polls_behind_a_waiter", polls_behind_a_waiter},
    {"waits_for_a_file", waits_for_a_file},
    {"is_left_with_an_object", is_left_with_an_object},
    {"is_left_with_a_lock", is_left_with_a_lock},
    {"posts_a_named_semaphore", posts_a_named_semaphore},
    {"posts_an_early_named_semaphore", posts_an_early_named_semaphore},
    {"opens_a_name_in_a_child", opens_a_name_in_a_child},
    {"prints_by_itself", prints_by_itself},
    {"inherits_no_signals", inherits_no_signals},
    {"is_forked_in_a_handler", is_forked_in_a_handler},
    {"uses_object_of_one", uses_object_of_one},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
