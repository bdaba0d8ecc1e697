// libreex_log.so: preloaded into a test that runs natively, it writes down what the test's threads wait for
// and when they go on (native/record.h), and makes sleeps longer. "IMUnit" instruments Java programs for this
// (Jagannath, dissertation 2012, section 3.3.1 and Figure 3.3).
//
// The log begins with the first thread that is created. What releases others is written down before it is
// done, what waits for others when it is over; so the records are in an order that explains who waited for
// whom. A thread stood still if the operation could not be done at once; where one cannot try, if it took a
// millisecond.
//
// Needs libc and libgcc only: with libstdc++, that library would be bound before the test's own.
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include <linux/futex.h>

#include "imunit/native/record.h"

#define REEX_LOGGED extern "C" __attribute__((visibility("default")))

namespace {

using reex::native_log::Head;
using reex::native_log::Operation;
using reex::native_log::Record;

constexpr std::uint64_t k_second = 1000000000;
constexpr std::uint64_t k_stood_still = 1000000; // ns
constexpr std::uint32_t k_nobody = ~0u;

Head* g_log = nullptr;
std::uint64_t g_scale = 1;
std::atomic<bool> g_logging{false};
thread_local std::uint32_t t_thread = k_nobody;
thread_local bool t_inside = false; // of a function below: what it calls itself is not logged

// The function that this library hides. Of the two versions of condition variables, the newer one.
void* hidden(const char* name) {
  if (void* function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return function;
  if (void* function = dlsym(RTLD_NEXT, name)) return function;
  std::abort();
}

#define REEX_HIDDEN(name)                                                                                    \
  static std::atomic<void*> place{nullptr};                                                                  \
  if (place.load() == nullptr) place.store(hidden(#name));                                                   \
  const auto original = reinterpret_cast<decltype(&::name)>(place.load())

std::uint64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * k_second + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec to_timespec(std::uint64_t ns) {
  return {static_cast<time_t>(ns / k_second), static_cast<long>(ns % k_second)};
}
std::uint64_t to_ns(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  return static_cast<std::uint64_t>(time.tv_sec) * k_second + static_cast<std::uint64_t>(time.tv_nsec);
}

void write_maps() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  std::uint32_t length = 0;
  while (length < sizeof g_log->maps) {
    const ssize_t got = read(file, g_log->maps + length, sizeof g_log->maps - length);
    if (got <= 0) break;
    length += static_cast<std::uint32_t>(got);
  }
  close(file);
  g_log->maps_length = length;
}

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* to) {
  auto& record = *static_cast<Record*>(to);
  int before = 0;
  const std::uint64_t pc = _Unwind_GetIPInfo(context, &before);
  if (pc == 0 || record.frames == reex::native_log::k_frames) return _URC_END_OF_STACK;
  record.pc[record.frames++] = before != 0 ? pc : pc - 1;
  return _URC_NO_REASON;
}

// Whether this thread's operations are logged now.
bool is_logged() { return g_logging.load(std::memory_order_acquire) && !t_inside && t_thread != k_nobody; }

void note(Operation operation, bool blocked = false, std::uint32_t child = 0) {
  const std::uint32_t place = g_log->records.fetch_add(1);
  if (place >= reex::native_log::k_capacity) return;
  t_inside = true; // the unwinder locks
  Record& record = g_log->record[place];
  record.time = now();
  record.thread = t_thread;
  record.child = child;
  record.operation = operation;
  record.blocked = blocked;
  _Unwind_Backtrace(add_frame, &record);
  record.written = true;
  t_inside = false;
}

// Logs the beginning of an operation, and its end. A sleep begins where its thread's last operation ended: a
// machine with other work may have made it late.
template <typename Act>
auto logged(Operation operation, bool& blocked, Act act) {
  if (operation != Operation::sleep) note(Operation::arrival);
  t_inside = true;
  const std::uint64_t begin = now();
  const auto result = act();
  const int error = errno;
  if (now() - begin >= k_stood_still) blocked = true;
  t_inside = false;
  note(operation, blocked);
  errno = error;
  return result;
}
template <typename Act>
auto timed(Act act) {
  bool blocked = false;
  return is_logged() ? logged(Operation::wait, blocked, act) : act();
}
// `attempt` gives `busy` where `act` would wait.
template <typename Attempt, typename Act>
int tried(Operation operation, int busy, Attempt attempt, Act act) {
  if (!is_logged()) return act();
  bool blocked = false;
  return logged(operation, blocked, [&] {
    const int result = attempt();
    if (result != busy) return result;
    blocked = true;
    return act();
  });
}
// What always waits, if it waits at all.
template <typename Act>
int waited(Act act) {
  bool blocked = true;
  return is_logged() ? logged(Operation::wait, blocked, act) : act();
}
void releases() {
  if (is_logged()) note(Operation::release);
}

// A deadline so many times as far away.
timespec later(clockid_t clock, const timespec& deadline) {
  timespec time;
  clock_gettime(clock, &time);
  const std::uint64_t is = to_ns(time);
  const std::uint64_t end = to_ns(deadline);
  if (!is_logged() || end <= is) return deadline;
  return to_timespec(is + (end - is) * g_scale);
}

int sleep_for(clockid_t clock, std::uint64_t ns, timespec* rest) {
  REEX_HIDDEN(clock_nanosleep);
  if (!is_logged()) {
    const timespec time = to_timespec(ns);
    return original(clock, 0, &time, rest);
  }
  const timespec time = to_timespec(ns * g_scale);
  bool blocked = true;
  timespec left{0, 0};
  const int error = logged(Operation::sleep, blocked, [&] { return original(clock, 0, &time, &left); });
  if (rest != nullptr) *rest = to_timespec(to_ns(left) / g_scale);
  return error;
}

struct Start {
  void* (*function)(void*);
  void* argument;
  std::uint32_t thread;
};

void end_thread(void*) {
  if (is_logged()) note(Operation::thread_end);
}

void* run_thread(void* given) {
  const Start start = *static_cast<Start*>(given);
  std::free(given);
  t_thread = start.thread;
  if (is_logged()) note(Operation::thread_start);
  void* result = nullptr;
  pthread_cleanup_push(end_thread, nullptr);
  result = start.function(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

void stop_in_child() { g_logging.store(false); }

__attribute__((constructor)) void begin() {
  const char* name = std::getenv(reex::native_log::k_file_variable);
  if (name == nullptr) return;
  const int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0 || ftruncate(file, sizeof(Head)) != 0) return;
  void* memory = mmap(nullptr, sizeof(Head), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  if (const char* scale = std::getenv(reex::native_log::k_scale_variable))
    g_scale = std::strtoull(scale, nullptr, 10);
  if (g_scale == 0) g_scale = 1;
  unsetenv(reex::native_log::k_file_variable); // programs that the test starts have no part in the log
  unsetenv(reex::native_log::k_scale_variable);
  g_log = static_cast<Head*>(memory);
  t_thread = 0;
  write_maps();
  pthread_atfork(nullptr, nullptr, stop_in_child);
  g_log->magic = reex::native_log::k_magic;
}

__attribute__((destructor)) void end() {
  if (!g_logging.exchange(false)) return;
  write_maps(); // with the libraries that were loaded later
}

} // namespace

// Threads

REEX_LOGGED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                               void* argument) {
  REEX_HIDDEN(pthread_create);
  if (g_log == nullptr || t_inside || t_thread == k_nobody)
    return original(thread, attributes, function, argument);
  g_logging.store(true, std::memory_order_release);
  static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER; // of the numbers and of their records
  t_inside = true;
  pthread_mutex_lock(&order);
  const std::uint32_t number = g_log->threads.fetch_add(1) + 1;
  t_inside = false;
  note(Operation::thread_create, false, number);
  t_inside = true;
  pthread_mutex_unlock(&order);
  auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
  *start = {function, argument, number};
  const int error = original(thread, attributes, run_thread, start);
  t_inside = false;
  if (error != 0) {
    std::free(start);
    g_log->incomplete.store(true);
  }
  return error;
}

REEX_LOGGED int pthread_join(pthread_t thread, void** result) {
  REEX_HIDDEN(pthread_join);
  return tried(
      Operation::thread_join, EBUSY, [&] { return pthread_tryjoin_np(thread, result); },
      [&] { return original(thread, result); });
}

// Sleeps

REEX_LOGGED int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* rest) {
  REEX_HIDDEN(clock_nanosleep);
  if (!is_logged() || request == nullptr || request->tv_nsec < 0 || request->tv_nsec >= long{k_second})
    return original(clock, flags, request, rest);
  if (flags == 0) return sleep_for(clock, to_ns(*request), rest);
  timespec time;
  clock_gettime(clock, &time);
  const std::uint64_t is = to_ns(time);
  const std::uint64_t end = to_ns(*request);
  return sleep_for(clock, end > is ? end - is : 0, nullptr);
}

REEX_LOGGED int nanosleep(const timespec* request, timespec* rest) {
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, request, rest);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

REEX_LOGGED int usleep(useconds_t us) {
  const timespec time = to_timespec(std::uint64_t{us} * 1000);
  return nanosleep(&time, nullptr);
}

REEX_LOGGED unsigned sleep(unsigned seconds) {
  const timespec time{static_cast<time_t>(seconds), 0};
  timespec rest{0, 0};
  return nanosleep(&time, &rest) == 0 ? 0 : static_cast<unsigned>(rest.tv_sec);
}

// Mutexes and locks

REEX_LOGGED int pthread_mutex_lock(pthread_mutex_t* mutex) {
  REEX_HIDDEN(pthread_mutex_lock);
  return tried(
      Operation::wait, EBUSY, [&] { return pthread_mutex_trylock(mutex); }, [&] { return original(mutex); });
}

REEX_LOGGED int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  REEX_HIDDEN(pthread_mutex_unlock);
  releases();
  return original(mutex);
}

REEX_LOGGED int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
  REEX_HIDDEN(pthread_mutex_timedlock);
  const timespec end = later(CLOCK_REALTIME, *deadline);
  return tried(
      Operation::wait, EBUSY, [&] { return pthread_mutex_trylock(mutex); },
      [&] { return original(mutex, &end); });
}

REEX_LOGGED int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) {
  REEX_HIDDEN(pthread_mutex_clocklock);
  const timespec end = later(clock, *deadline);
  return tried(
      Operation::wait, EBUSY, [&] { return pthread_mutex_trylock(mutex); },
      [&] { return original(mutex, clock, &end); });
}

REEX_LOGGED int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  REEX_HIDDEN(pthread_rwlock_rdlock);
  return tried(
      Operation::wait, EBUSY, [&] { return pthread_rwlock_tryrdlock(lock); }, [&] { return original(lock); });
}

REEX_LOGGED int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  REEX_HIDDEN(pthread_rwlock_wrlock);
  return tried(
      Operation::wait, EBUSY, [&] { return pthread_rwlock_trywrlock(lock); }, [&] { return original(lock); });
}

REEX_LOGGED int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  REEX_HIDDEN(pthread_rwlock_unlock);
  releases();
  return original(lock);
}

// Condition variables, semaphores and barriers

REEX_LOGGED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  REEX_HIDDEN(pthread_cond_wait);
  return waited([&] { return original(condition, mutex); });
}

REEX_LOGGED int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                       const timespec* deadline) {
  REEX_HIDDEN(pthread_cond_timedwait);
  const timespec end = later(CLOCK_REALTIME, *deadline);
  return waited([&] { return original(condition, mutex, &end); });
}

REEX_LOGGED int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                       const timespec* deadline) {
  REEX_HIDDEN(pthread_cond_clockwait);
  const timespec end = later(clock, *deadline);
  return waited([&] { return original(condition, mutex, clock, &end); });
}

REEX_LOGGED int pthread_cond_signal(pthread_cond_t* condition) {
  REEX_HIDDEN(pthread_cond_signal);
  releases();
  return original(condition);
}

REEX_LOGGED int pthread_cond_broadcast(pthread_cond_t* condition) {
  REEX_HIDDEN(pthread_cond_broadcast);
  releases();
  return original(condition);
}

REEX_LOGGED int sem_wait(sem_t* semaphore) {
  REEX_HIDDEN(sem_wait);
  return tried(
      Operation::wait, -1, [&] { return sem_trywait(semaphore); }, [&] { return original(semaphore); });
}

REEX_LOGGED int sem_post(sem_t* semaphore) {
  REEX_HIDDEN(sem_post);
  releases();
  return original(semaphore);
}

REEX_LOGGED int pthread_barrier_wait(pthread_barrier_t* barrier) {
  REEX_HIDDEN(pthread_barrier_wait);
  return timed([&] { return original(barrier); });
}

// The C++ library waits in futexes for futures, latches, semaphores and atomics.
REEX_LOGGED long syscall(long number, ...) noexcept {
  REEX_HIDDEN(syscall);
  va_list list;
  va_start(list, number);
  long argument[6];
  for (long& each : argument) each = va_arg(list, long);
  va_end(list);
  const auto call = [&] {
    return original(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  };
  const long operation = argument[1] & FUTEX_CMD_MASK;
  if (number != SYS_futex || !is_logged()) return call();
  if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET) return timed(call);
  releases();
  return call();
}

// Descriptors and processes

REEX_LOGGED ssize_t read(int file, void* to, size_t size) {
  REEX_HIDDEN(read);
  return timed([&] { return original(file, to, size); });
}

REEX_LOGGED ssize_t write(int file, const void* from, size_t size) {
  REEX_HIDDEN(write);
  releases();
  return timed([&] { return original(file, from, size); });
}

REEX_LOGGED ssize_t recv(int file, void* to, size_t size, int flags) {
  REEX_HIDDEN(recv);
  return timed([&] { return original(file, to, size, flags); });
}

REEX_LOGGED int accept(int file, sockaddr* address, socklen_t* length) {
  REEX_HIDDEN(accept);
  return timed([&] { return original(file, address, length); });
}

REEX_LOGGED int poll(pollfd* files, nfds_t count, int timeout) {
  REEX_HIDDEN(poll);
  return timed([&] { return original(files, count, timeout); });
}

REEX_LOGGED int select(int count, fd_set* in, fd_set* out, fd_set* others, timeval* timeout) {
  REEX_HIDDEN(select);
  return timed([&] { return original(count, in, out, others, timeout); });
}

REEX_LOGGED int epoll_wait(int file, epoll_event* events, int count, int timeout) {
  REEX_HIDDEN(epoll_wait);
  return timed([&] { return original(file, events, count, timeout); });
}

REEX_LOGGED pid_t waitpid(pid_t child, int* status, int options) {
  REEX_HIDDEN(waitpid);
  return timed([&] { return original(child, status, options); });
}
