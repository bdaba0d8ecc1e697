// Rare calls of POSIX: timed joins, names, times that have passed or are invalid, results of misuse.
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/timeb.h>
#include <ucontext.h>
#include <unistd.h>

#include "scenario.h"

// As sys/timeb.h declares it, which calls it deprecated.
extern "C" int old_ftime(timeb* time) __asm__("ftime");

namespace {

constexpr timespec k_past{0, 0};
constexpr timespec k_wrong{0, 1000000000};
constexpr timespec k_far{4000000000, 0};

template <class Function>
pthread_t start(Function) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return Function()(), nullptr; }, nullptr);
  return thread;
}

const char* name_of(int error) {
  switch (error) {
  case 0:
    return "0 ";
  case EBUSY:
    return "EBUSY ";
  case ETIMEDOUT:
    return "ETIMEDOUT ";
  case EINVAL:
    return "EINVAL ";
  case EPERM:
    return "EPERM ";
  case EDEADLK:
    return "EDEADLK ";
  case ENOENT:
    return "ENOENT ";
  case EEXIST:
    return "EEXIST ";
  case ERANGE:
    return "ERANGE ";
  case ESRCH:
    return "ESRCH ";
  default:
    return "? ";
  }
}

void say(int error) { std::fputs(name_of(error), stdout); }
void say_errno(int result) { say(result == 0 ? 0 : errno); }

// The thread may or may not have ended by then.
void try_join() {
  const pthread_t thread = start([] { sched_yield(); });
  const int error = pthread_tryjoin_np(thread, nullptr);
  say(error);
  if (error != 0) pthread_join(thread, nullptr);
}

void timed_join() {
  const pthread_t thread = start([] { sleep(100); });
  timespec soon;
  clock_gettime(CLOCK_MONOTONIC, &soon);
  ++soon.tv_sec;
  say(pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &soon));
  say(pthread_timedjoin_np(thread, nullptr, &k_wrong));
  say(pthread_timedjoin_np(thread, nullptr, &k_far));
}

void wrong_joins() {
  const pthread_t thread = start([] { sleep(1); });
  pthread_detach(thread);
  say(pthread_detach(thread));
  say(pthread_join(thread, nullptr));
}

void joins_itself() {
  pthread_join(start([] { say(pthread_join(pthread_self(), nullptr)); }), nullptr);
}

// Two threads that join each other wait in vain, but not if one of them was cancelled.
void joins_a_cancelled_joiner() {
  static const pthread_t main_thread = pthread_self();
  const pthread_t thread = start([] { pthread_join(main_thread, nullptr); });
  pthread_cancel(thread);
  void* result = nullptr;
  say(pthread_join(thread, &result));
  std::fputs(result == PTHREAD_CANCELED ? "cancelled" : "?", stdout);
}

void clock_of_an_ended_thread() {
  const pthread_t thread = start([] {});
  clockid_t clock;
  int error = 0;
  while ((error = pthread_getcpuclockid(thread, &clock)) == 0) sched_yield();
  say(error);
  pthread_join(thread, nullptr);
}

// A thread that waits on a condition variable will take the mutex again.
void destroys_a_waiters_mutex() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static bool waits, done;
  const pthread_t thread = start([] {
    pthread_mutex_lock(&mutex);
    waits = true;
    while (!done) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  });
  for (bool ready = false; !ready; sched_yield()) {
    pthread_mutex_lock(&mutex);
    ready = waits;
    pthread_mutex_unlock(&mutex);
  }
  say(pthread_mutex_destroy(&mutex));
  pthread_mutex_lock(&mutex);
  done = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
  say(pthread_mutex_destroy(&mutex));
}

void names() {
  pthread_setname_np(pthread_self(), "main thread");
  const pthread_t thread = start([] {
    char name[16];
    prctl(PR_GET_NAME, name);
    std::printf("%s, ", name); // of the thread that made it
    pthread_setname_np(pthread_self(), "worker");
    say(pthread_setname_np(pthread_self(), "far too long a name"));
  });
  sched_yield();
  pthread_join(thread, nullptr);
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  std::printf("%s\n", name);
}

// A thread begins with the slack of the one that made it, and zero brings it back to that.
void timer_slacks() {
  prctl(PR_SET_TIMERSLACK, 7000);
  const pthread_t thread = start([] {
    const int first = prctl(PR_GET_TIMERSLACK);
    syscall(SYS_prctl, PR_SET_TIMERSLACK, 9000);
    const int second = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 0);
    std::printf("%d %d %d ", first, second, prctl(PR_GET_TIMERSLACK));
    prctl(PR_SET_TIMERSLACK, 5);
  });
  prctl(PR_SET_TIMERSLACK, 8000);
  pthread_join(thread, nullptr);
  std::printf("%d\n", prctl(PR_GET_TIMERSLACK));
}

pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t g_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t g_changed = PTHREAD_COND_INITIALIZER;
sem_t g_semaphore;

// A free lock is taken whatever the time is. A wait for a held lock ends at once.
void past_mutex() {
  say(pthread_mutex_timedlock(&g_mutex, &k_past));
  pthread_join(start([] {
                 say(pthread_mutex_timedlock(&g_mutex, &k_past));
                 say(pthread_mutex_clocklock(&g_mutex, CLOCK_MONOTONIC, &k_wrong));
               }),
               nullptr);
  pthread_mutex_unlock(&g_mutex);
  say(pthread_mutex_timedlock(&g_mutex, &k_wrong));
}

// A try whose time has passed is like a try that never waits: the lock may be held or not.
void past_mutex_raced() {
  const pthread_t thread = start([] {
    pthread_mutex_lock(&g_mutex);
    pthread_mutex_unlock(&g_mutex);
  });
  const int error = pthread_mutex_timedlock(&g_mutex, &k_past);
  say(error);
  if (error == 0) pthread_mutex_unlock(&g_mutex);
  pthread_join(thread, nullptr);
}

void past_rwlock() {
  say(pthread_rwlock_timedrdlock(&g_lock, &k_past));
  pthread_join(start([] {
                 say(pthread_rwlock_timedrdlock(&g_lock, &k_wrong));
                 say(pthread_rwlock_timedwrlock(&g_lock, &k_past));
                 say(pthread_rwlock_clockwrlock(&g_lock, CLOCK_MONOTONIC, &k_wrong));
                 pthread_rwlock_unlock(&g_lock);
               }),
               nullptr);
}

void past_semaphore() {
  sem_init(&g_semaphore, 0, 1);
  std::thread([] {
    say_errno(sem_timedwait(&g_semaphore, &k_past));
    say_errno(sem_timedwait(&g_semaphore, &k_past));
    say_errno(sem_clockwait(&g_semaphore, CLOCK_MONOTONIC, &k_wrong));
  }).join();
}

void past_condition() {
  std::thread([] {
    pthread_mutex_lock(&g_mutex);
    say(pthread_cond_timedwait(&g_changed, &g_mutex, &k_past));
    say(pthread_cond_clockwait(&g_changed, &g_mutex, CLOCK_MONOTONIC, &k_wrong));
    say(pthread_mutex_trylock(&g_mutex)); // the mutex is held again
  }).join();
}

// A thread that polls without ever waiting does not prevent the other thread from running.
void polling() {
  static bool ready = false;
  const pthread_t thread = start([] {
    pthread_mutex_lock(&g_mutex);
    while (!ready) pthread_cond_timedwait(&g_changed, &g_mutex, &k_past);
    pthread_mutex_unlock(&g_mutex);
  });
  pthread_mutex_lock(&g_mutex);
  ready = true;
  pthread_mutex_unlock(&g_mutex);
  pthread_join(thread, nullptr);
  std::printf("ready\n");
}

// The same on a stack of the test's own. What lies above it cannot be read.
void polling_on_a_context() {
  static std::atomic<bool> ready{false};
  static ucontext_t outside, inside;
  const long page = sysconf(_SC_PAGESIZE);
  const std::size_t size = static_cast<std::size_t>(page) * 16;
  static char* const stack = static_cast<char*>(
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(stack + size, page, PROT_NONE);
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack;
  inside.uc_stack.ss_size = size;
  inside.uc_link = &outside;
  makecontext(
      &inside,
      [] {
        while (!ready) std::this_thread::yield();
      },
      0);
  const pthread_t thread = start([] { swapcontext(&outside, &inside); });
  ready = true;
  pthread_join(thread, nullptr);
  std::printf("ready\n");
}

// Coroutines have small stacks, on which the calls must fit that reex stands in for.
void works_on_a_small_stack() {
  static ucontext_t outside, inside;
  static std::mutex mutex;
  static std::condition_variable changed;
  static std::map<int, int> squares;
  static std::atomic<int> turns{0};
  const long page = sysconf(_SC_PAGESIZE);
  const std::size_t size = static_cast<std::size_t>(page) * 3;
  static char* const stack = static_cast<char*>(
      mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(stack, page, PROT_NONE);
  getcontext(&inside);
  inside.uc_stack.ss_sp = stack + page;
  inside.uc_stack.ss_size = size;
  inside.uc_link = &outside;
  makecontext(
      &inside,
      [] {
        for (int i = 0; i < 4; ++i) {
          const std::lock_guard lock(mutex);
          squares[i] = i * i;
          if (i % 2 == 1) squares.erase(i);
          changed.notify_all();
          changed.notify_one();
          ++turns;
        }
      },
      0);
  const pthread_t thread = start([] { swapcontext(&outside, &inside); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return squares.count(2) == 1; });
  }
  pthread_join(thread, nullptr);
  std::printf("%zu after %d\n", squares.size(), turns.load());
}

// The loader's lock is held while the function is called. Who loads a library waits for it.
void walk_through_libraries() {
  static std::atomic<int> seen{0};
  const pthread_t thread = start([] {
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void*) {
          const int before = seen;
          if (info->dlpi_name == nullptr) std::printf("wrong ");
          return before == 1 ? 2 : (++seen, 0);
        },
        nullptr);
  });
  void* library = dlopen("libresolv.so.2", RTLD_NOW);
  dlclose(library);
  pthread_join(thread, nullptr);
  std::printf("%d\n", seen.load());
}

void monotonic_condition() {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  static pthread_cond_t changed;
  pthread_cond_init(&changed, &attributes);
  std::thread([] {
    timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    const timespec until{before.tv_sec + 2, before.tv_nsec};
    pthread_mutex_lock(&g_mutex);
    say(pthread_cond_timedwait(&changed, &g_mutex, &until));
    clock_gettime(CLOCK_MONOTONIC, &after);
    std::printf("%ld\n", static_cast<long>(after.tv_sec - before.tv_sec));
  }).join();
}

void mutex_types() {
  for (const int type : {PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE}) {
    static pthread_mutex_t mutex;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutex_init(&mutex, &attributes);
    say(pthread_mutex_lock(&mutex));
    say(pthread_mutex_lock(&mutex));
    pthread_join(start([] { say(pthread_mutex_unlock(&mutex)); }), nullptr);
    say(pthread_mutex_unlock(&mutex));
    say(pthread_mutex_unlock(&mutex));
  }
}

void held_by_itself() {
  std::thread([] {
    pthread_mutex_lock(&g_mutex);
    pthread_mutex_lock(&g_mutex);
  }).join();
}

void rwlock_by_itself() {
  std::thread([] {
    pthread_rwlock_wrlock(&g_lock);
    say(pthread_rwlock_rdlock(&g_lock));
    say(pthread_rwlock_wrlock(&g_lock));
    say(pthread_rwlock_tryrdlock(&g_lock));
  }).join();
}

void named_semaphore() {
  say_errno(sem_open("/absent", 0) == SEM_FAILED ? -1 : 0);
  std::thread thread([] {
    sem_t* mine = sem_open("/reex-test", O_CREAT, 0600, 0);
    sem_wait(mine);
    std::printf("through ");
    sem_close(mine);
  });
  sem_t* mine = sem_open("/reex-test", O_CREAT, 0600, 0);
  sem_post(mine);
  thread.join();
  say_errno(sem_open("/reex-test", O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED ? -1 : 0);
  sem_close(mine);
  say_errno(sem_unlink("/reex-test"));
  say_errno(sem_unlink("/reex-test"));
}

void attributes() {
  pthread_t thread = start([] { sleep(1); });
  sched_param parameters;
  int policy = -1;
  clockid_t clock;
  cpu_set_t processors;
  pthread_attr_t of;
  int detached = -1;
  say(pthread_getschedparam(thread, &policy, &parameters));
  say(pthread_getcpuclockid(thread, &clock));
  say(pthread_getaffinity_np(thread, sizeof processors, &processors));
  pthread_getattr_np(thread, &of);
  pthread_attr_getdetachstate(&of, &detached);
  pthread_join(thread, nullptr);
  std::printf("%d %d %d\n", policy == SCHED_OTHER, CPU_COUNT(&processors) > 0,
              detached == PTHREAD_CREATE_JOINABLE);
}

// A recursive mutex that is held twice stays locked during the wait, as in glibc.
void recursive_condition() {
  static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  const pthread_t thread = start([] { say(pthread_mutex_trylock(&mutex)); });
  say(pthread_cond_timedwait(&condition, &mutex, &k_past));
  pthread_join(thread, nullptr);
  say(pthread_mutex_unlock(&mutex));
  say(pthread_mutex_unlock(&mutex));
  say(pthread_mutex_unlock(&mutex));
}

pthread_mutex_t make_mutex(int type, bool robust) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutexattr_setrobust(&attributes, robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

// The owner of a robust mutex ends while another thread waits for a condition with it.
void robust_condition() {
  static pthread_mutex_t mutex = make_mutex(PTHREAD_MUTEX_NORMAL, true);
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const pthread_t thread = start([] {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
  });
  const int died = pthread_cond_wait(&condition, &mutex);
  std::printf("%s ", died == EOWNERDEAD ? "EOWNERDEAD" : "?");
  pthread_join(thread, nullptr);
  pthread_mutex_unlock(&mutex); // not made consistent
  const int lost = pthread_mutex_lock(&mutex);
  std::printf("%s ", lost == ENOTRECOVERABLE ? "ENOTRECOVERABLE" : "?");
  say(pthread_mutex_unlock(&mutex));
}

void robust_errors() {
  pthread_mutex_t checked = make_mutex(PTHREAD_MUTEX_ERRORCHECK, true);
  pthread_mutex_t plain = make_mutex(PTHREAD_MUTEX_NORMAL, true);
  start([] {});
  say(pthread_mutex_lock(&checked));
  say(pthread_mutex_trylock(&checked));
  say(pthread_mutex_consistent(&checked));
  say(pthread_mutex_unlock(&plain));
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  say(pthread_cond_wait(&condition, &plain));
}

// All ways to ask for the time of day tell the same, also after a sleep.
void times_of_day() {
  const pthread_t thread = start([] {
    sleep(1);
    timespec now{};
    timespec same{};
    timeb old{};
    clock_gettime(CLOCK_REALTIME, &now);
    say(timespec_get(&same, TIME_UTC) - TIME_UTC);
    old_ftime(&old);
    const long later = same.tv_nsec - now.tv_nsec;
    say(same.tv_sec != now.tv_sec || later <= 0 || later > 100000);
    say(old.time != now.tv_sec || old.millitm != now.tv_nsec / 1000000);
    say(time(nullptr) != now.tv_sec);
  });
  pthread_join(thread, nullptr);
}

// The waits of threads know two clocks.
void clocks() {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  const pthread_t thread = start([] {});
  say(pthread_clockjoin_np(thread, nullptr, CLOCK_BOOTTIME, &k_far));
  say(pthread_join(thread, nullptr));
  say(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &k_far));
  say(pthread_cond_clockwait(&condition, &mutex, CLOCK_BOOTTIME, &k_far));
  say(pthread_rwlock_clockrdlock(&lock, CLOCK_BOOTTIME, &k_far));
  say(pthread_rwlock_clockwrlock(&lock, CLOCK_BOOTTIME, &k_far));
  say_errno(sem_clockwait(&semaphore, CLOCK_BOOTTIME, &k_far));
  timespec time{};
  timer_t timer;
  say_errno(clock_gettime(77, &time));
  say_errno(clock_getres(77, &time));
  say(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &k_past, nullptr));
  say_errno(timer_create(77, nullptr, &timer));
  say_errno(clock_settime(CLOCK_MONOTONIC, &k_past));
  clockid_t own = 77;
  say(pthread_getcpuclockid(pthread_self(), &own));
  say_errno(clock_gettime(own, &time));
  say(clock_getcpuclockid(getpid(), &own));
  say_errno(clock_gettime(own, &time));
}

void wrong_polls() {
  start([] {});
  timeval negative{-1, 0};
  say_errno(select(-1, nullptr, nullptr, nullptr, nullptr));
  say_errno(select(0, nullptr, nullptr, nullptr, &negative));
  say_errno(pselect(0, nullptr, nullptr, nullptr, &k_wrong, nullptr));
  say_errno(ppoll(nullptr, 0, &k_wrong, nullptr));
  epoll_event event{};
  say_errno(epoll_wait(0, &event, 1, -1));
  say_errno(epoll_wait(0, &event, 0, -1));
}

// Which threads a lock admits while a writer waits for it.
template <int Kind>
void admits() {
  static pthread_rwlock_t lock;
  static bool written = false;
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, Kind);
  pthread_rwlock_init(&lock, &attributes);
  pthread_rwlock_rdlock(&lock);
  const pthread_t writer = start([] {
    pthread_rwlock_wrlock(&lock);
    written = true;
    pthread_rwlock_unlock(&lock);
  });
  usleep(1000); // the writer waits by then
  const pthread_t reader = start([] {
    say(pthread_rwlock_tryrdlock(&lock));
    if (pthread_rwlock_timedrdlock(&lock, &k_far) == 0) std::printf("%d", written ? 1 : 0);
  });
  usleep(1000);
  pthread_rwlock_unlock(&lock);
  pthread_join(reader, nullptr);
  if (Kind != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(writer, nullptr);
}
void prefers_readers() { admits<PTHREAD_RWLOCK_PREFER_READER_NP>(); }
void prefers_writers() { admits<PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP>(); }

// The thread that the barrier has marked destroys it and gives its memory away.
void barrier_destroyed() {
  static pthread_barrier_t* const barrier = new pthread_barrier_t;
  pthread_barrier_init(barrier, nullptr, 2);
  const auto meet = [] {
    if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
    pthread_barrier_destroy(barrier);
    delete barrier;
  };
  const pthread_t thread = start(meet);
  meet();
  pthread_join(thread, nullptr);
  std::printf("left");
}

// What a thread writes while it has locked the stream, stays together.
void locked_stream() {
  flockfile(stdout);
  std::thread other([] {
    const bool locked = ftrylockfile(stdout) == 0;
    if (locked) funlockfile(stdout);
    std::printf(locked ? "t" : "c");
  });
  std::printf("a");
  flockfile(stdout);
  std::printf("b");
  funlockfile(stdout);
  sched_yield();
  std::printf("d");
  funlockfile(stdout);
  other.join();
}

// The streams are flushed at the end of an execution, whoever has locked them.
void stream_and_mutex() {
  std::mutex mutex;
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    std::printf("o");
  });
  flockfile(stdout);
  mutex.lock();
  mutex.unlock();
  funlockfile(stdout);
  other.join();
}

// As with libc, to exit waits for no lock of a stream.
void exits_with_a_locked_stream() {
  std::atomic<bool> locked{false};
  std::thread other([&] {
    std::printf("o");
    flockfile(stdout);
    locked.store(true);
    pause();
  });
  while (!locked.load()) std::this_thread::yield();
  std::exit(3);
}

// A flush of all streams, and input, wait for the thread that has locked the stream.
void waits_for_a_locked_stream() {
  FILE* const zeros = std::fopen("/dev/zero", "r");
  std::thread other([&] {
    flockfile(stdout);
    std::printf("a");
    sched_yield();
    std::printf("b");
    funlockfile(stdout);
    flockfile(zeros);
    sched_yield();
    std::printf("c");
    funlockfile(zeros);
  });
  std::fflush(nullptr);
  const int zero = std::fgetc(zeros);
  other.join();
  std::printf("%d", zero);
  std::fclose(zeros);
}

// Another stream may get the place of one that was locked as it was closed.
void closed_while_locked() {
  FILE* first = std::fopen("/dev/null", "w");
  flockfile(first);
  std::fclose(first);
  FILE* second = std::fopen("/dev/null", "w");
  std::thread other([&] { std::fputs("x", second); });
  other.join();
  std::printf("closed");
  std::fclose(second);
}

constexpr Scenario k_scenarios[] = {
    {"locked_stream", locked_stream},
    {"stream_and_mutex", stream_and_mutex},
    {"exits_with_a_locked_stream", exits_with_a_locked_stream},
    {"waits_for_a_locked_stream", waits_for_a_locked_stream},
    {"closed_while_locked", closed_while_locked},
    {"try_join", try_join},
    {"timed_join", timed_join},
    {"wrong_joins", wrong_joins},
    {"joins_itself", joins_itself},
    {"joins_a_cancelled_joiner", joins_a_cancelled_joiner},
    {"clock_of_an_ended_thread", clock_of_an_ended_thread},
    {"destroys_a_waiters_mutex", destroys_a_waiters_mutex},
    {"names", names},
    {"timer_slacks", timer_slacks},
    {"past_mutex", past_mutex},
    {"past_mutex_raced", past_mutex_raced},
    {"past_rwlock", past_rwlock},
    {"past_semaphore", past_semaphore},
    {"past_condition", past_condition},
    {"polling", polling},
    {"polling_on_a_context", polling_on_a_context},
    {"works_on_a_small_stack", works_on_a_small_stack},
    {"walk_through_libraries", walk_through_libraries},
    {"monotonic_condition", monotonic_condition},
    {"mutex_types", mutex_types},
    {"held_by_itself", held_by_itself},
    {"rwlock_by_itself", rwlock_by_itself},
    {"named_semaphore", named_semaphore},
    {"attributes", attributes},
    {"recursive_condition", recursive_condition},
    {"robust_condition", robust_condition},
    {"robust_errors", robust_errors},
    {"clocks", clocks},
    {"times_of_day", times_of_day},
    {"wrong_polls", wrong_polls},
    {"prefers_readers", prefers_readers},
    {"prefers_writers", prefers_writers},
    {"barrier_destroyed", barrier_destroyed},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
