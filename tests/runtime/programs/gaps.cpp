// What a run cannot see, or does not try: each must be told.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

// Natively the reader may be so late that the sleep does not help it.
void a_sleep_orders() {
  std::atomic<int> ready{0};
  std::thread writer([&] { ready.store(1); });
  std::this_thread::sleep_for(1ms);
  std::printf("%d\n", ready.load());
  writer.join();
}

// Nobody else is there while it sleeps.
void a_sleep_alone() {
  std::atomic<int> ready{0};
  std::thread writer([&] { ready.store(1); });
  writer.join();
  std::this_thread::sleep_for(1ms);
}

// The clock must show that the time has passed, and a wait whose time came before must have ended.
void a_sleep_takes_its_time() {
  std::atomic<int> ready{0};
  std::thread writer([&] {
    std::this_thread::sleep_for(1ms);
    ready.store(1);
  });
  const auto before = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(5ms);
  assert(std::chrono::steady_clock::now() - before >= 5ms);
  std::printf("%d\n", ready.load());
  writer.join();
}

// Natively more than a second may pass in between, if the machine has other work.
void a_clock_decides() {
  std::atomic<int> ready{0};
  const auto begin = std::chrono::steady_clock::now();
  std::thread writer([&] { ready.store(1); });
  const bool late = std::chrono::steady_clock::now() - begin > 1s;
  std::printf("%d\n", late ? ready.load() : 0);
  writer.join();
}

// Nobody else is there while it is read.
void a_clock_alone() {
  const auto begin = std::chrono::steady_clock::now();
  std::thread writer([] {});
  writer.join();
  assert(std::chrono::steady_clock::now() - begin < 1s);
}

timespec after(std::time_t seconds, long nanoseconds) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += seconds;
  until.tv_nsec += nanoseconds;
  return until;
}

// Natively the time may be over before the other thread comes.
void wait_for_another(std::time_t seconds, long nanoseconds) {
  const timespec until = after(seconds, nanoseconds);
  sem_t done;
  sem_init(&done, 0, 0);
  std::thread other([&] { sem_post(&done); });
  sem_timedwait(&done, &until);
  other.join();
}
void a_timed_wait_is_ended() { wait_for_another(0, 10'000'000); }
void a_guard_is_ended() { wait_for_another(10, 0); }

void a_guard_ends_by_its_time() {
  const timespec until = after(10, 0);
  sem_t done;
  sem_init(&done, 0, 0);
  std::thread other([] {});
  sem_timedwait(&done, &until);
  other.join();
}

// Natively the store may be the last that happens.
void a_timed_wait_ends_beside_others() {
  const timespec until = after(0, 10'000'000);
  sem_t never;
  sem_init(&never, 0, 0);
  std::atomic<int> value{0};
  std::thread other([&] { value.store(1); });
  sem_timedwait(&never, &until);
  value.load();
  other.join();
}

void a_timed_wait_ends_alone() {
  const timespec until = after(0, 10'000'000);
  sem_t never;
  sem_init(&never, 0, 0);
  std::thread other([] {});
  other.join();
  sem_timedwait(&never, &until);
}

// Natively the signal may come before the other thread is done.
void a_signal_of_a_timer_is_late() {
  static std::atomic<bool> fired{false};
  signal(SIGALRM, [](int) { fired = true; });
  const itimerval soon = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 10'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  std::thread other([] {});
  other.join();
  if (fired) std::abort();
}

void a_watchdog_gets_a_handler() {
  static std::atomic<bool> fired{false};
  alarm(1);
  signal(SIGALRM, [](int) { fired = true; });
  std::thread other([] {});
  other.join();
  if (fired) std::abort();
}

void a_thread_of_a_timer_is_late() {
  static std::atomic<bool> fired{false};
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = [](sigval) { fired = true; };
  timer_t timer{};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const itimerspec soon = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 10'000'000}};
  timer_settime(timer, 0, &soon, nullptr);
  std::thread other([] {});
  other.join();
  if (fired) std::abort();
  timer_delete(timer);
}

// If its time were ever over, it would end the process.
void a_watchdog_is_set() {
  alarm(1);
  std::thread other([] {});
  other.join();
}

// The notification may come when main has looked at the flag and does not wait yet.
void a_guard_misses_its_notification() {
  const timespec until = after(10, 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  std::atomic<bool> done{false};
  std::thread other([&] {
    done = true;
    pthread_cond_signal(&changed);
  });
  pthread_mutex_lock(&mutex);
  while (!done && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
  }
  pthread_mutex_unlock(&mutex);
  other.join();
}

// The same where who waits for long polls a pipe, and is only notified if it has said that it waits.
void a_poll_misses_its_notification() {
  int ends[2] = {};
  if (pipe(ends) != 0) std::abort();
  std::atomic<bool> done{false}, waiting{false};
  std::thread other([&] {
    done = true;
    if (waiting && write(ends[1], "x", 1) != 1) std::abort();
  });
  if (!done) {
    waiting = true;
    pollfd readable{ends[0], POLLIN, 0};
    poll(&readable, 1, 1'000'000);
  }
  other.join();
}
void a_poll_is_ended() {
  int ends[2] = {};
  if (pipe(ends) != 0) std::abort();
  std::thread other([&] {
    if (write(ends[1], "x", 1) != 1) std::abort();
  });
  pollfd readable{ends[0], POLLIN, 0};
  poll(&readable, 1, 1'000'000);
  other.join();
}

// The lock is free as the thread comes to it, and the other one may have it before.
void a_timed_lock_is_taken() {
  const timespec until = after(1, 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::thread other([&] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  if (pthread_mutex_timedlock(&mutex, &until) == 0) pthread_mutex_unlock(&mutex);
  other.join();
}

// Nobody else takes it.
void a_timed_lock_is_free() {
  const timespec until = after(1, 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<int> turns{0};
  std::thread other([&] { ++turns; });
  if (pthread_mutex_timedlock(&mutex, &until) == 0) pthread_mutex_unlock(&mutex);
  ++turns;
  other.join();
}

void a_timed_join_is_ended() {
  const timespec until = after(1, 0);
  std::atomic<int> turns{0};
  pthread_t other{};
  pthread_create(
      &other, nullptr,
      [](void* counted) -> void* {
        ++*static_cast<std::atomic<int>*>(counted);
        return nullptr;
      },
      &turns);
  if (pthread_timedjoin_np(other, nullptr, &until) != 0) pthread_join(other, nullptr);
}

// The same by a condition variable.
void a_timed_wait_is_notified() {
  const timespec until = after(1, 0);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool done = false;
  std::thread other([&] {
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  while (!done && pthread_cond_timedwait(&changed, &mutex, &until) == 0) {
  }
  pthread_mutex_unlock(&mutex);
  other.join();
}

// Who waits takes for granted that the other thread is in time, by the wait or by a sleep.
void depends_on_a_timed_wait() {
  const timespec until = after(0, 10'000'000);
  sem_t done;
  sem_init(&done, 0, 0);
  std::thread other([&] { sem_post(&done); });
  if (sem_timedwait(&done, &until) != 0) std::abort();
  other.join();
}
// It takes three preemptions, one more than the bound that every run completes.
void depends_on_a_timed_wait_deeply() {
  const timespec until = after(0, 10'000'000);
  sem_t done;
  sem_init(&done, 0, 0);
  std::atomic<int> step{0};
  std::thread other([&] {
    if (sem_timedwait(&done, &until) != 0 && step.load() == 0 && step.load() == 1) std::abort();
  });
  step.store(1);
  step.store(2);
  sem_post(&done);
  other.join();
}
// The wait has no time limit of its own: a descriptor that it watches is a timer.
void wait_for_a_timer(bool or_another) {
  const itimerspec soon = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 1'000'000}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const int event = eventfd(0, 0);
  const int watch = epoll_create1(0);
  epoll_event watched = {.events = EPOLLIN, .data = {.fd = timer}};
  epoll_ctl(watch, EPOLL_CTL_ADD, timer, &watched);
  watched.data.fd = event;
  epoll_ctl(watch, EPOLL_CTL_ADD, event, &watched);
  timerfd_settime(timer, 0, &soon, nullptr);
  std::thread other([&] {
    if (or_another) eventfd_write(event, 1);
  });
  epoll_event met{};
  if (epoll_wait(watch, &met, 1, -1) != 1) std::abort();
  if (or_another && met.data.fd == timer) std::abort();
  other.join();
}
void depends_on_a_timer() { wait_for_a_timer(true); }
void waits_for_a_timer() { wait_for_a_timer(false); }

// The timer is none of those that the wait watches.
void waits_beside_a_timer() {
  const itimerspec soon = {.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = 1'000'000}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const int event = eventfd(0, 0);
  timerfd_settime(timer, 0, &soon, nullptr);
  std::thread other([&] { eventfd_write(event, 1); });
  pollfd met = {.fd = event, .events = POLLIN, .revents = 0};
  if (poll(&met, 1, -1) != 1 || met.revents != POLLIN) std::abort();
  other.join();
}
void depends_on_a_sleep() {
  std::atomic<int> ready{0};
  std::thread other([&] { ready.store(1); });
  std::this_thread::sleep_for(1ms);
  if (ready.load() != 1) std::abort();
  other.join();
}
// The same beside more schedules than any budget is for.
void depends_on_a_timed_wait_beside_others() {
  std::mutex lock;
  const auto take_turns = [&] {
    for (int i = 0; i < 40; ++i) const std::lock_guard turn(lock);
  };
  std::thread one(take_turns), two(take_turns);
  depends_on_a_timed_wait();
  one.join();
  two.join();
}

// A thread waits in a loop, or takes a wake-up for a notification.
void await_another(bool in_loop) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  bool ready = false;
  std::thread other([&] {
    pthread_mutex_lock(&mutex);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  if (!ready) do {
      pthread_cond_wait(&changed, &mutex);
    } while (in_loop && !ready);
  if (!ready) std::abort();
  pthread_mutex_unlock(&mutex);
  other.join();
}
void waits_in_a_loop() { await_another(true); }
void depends_on_a_notification() { await_another(false); }

// Each turn of the loops may be switched at, and each leads to nothing more than a race.
void races_for_long() {
  static int cells[2000];
  const auto work = [] {
    for (int& cell : cells) ++cell;
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

// Natively both threads may be on one processor.
void a_processor_decides() {
  std::atomic<int> counts[1024]{};
  const auto count = [&] { ++counts[sched_getcpu() % 1024]; };
  std::thread one(count), two(count);
  one.join();
  two.join();
}

// Natively they are others each time.
void random_numbers_decide() {
  std::thread one([] {});
  unsigned number = 0;
  if (getrandom(&number, sizeof number, 0) == sizeof number && number % 2 == 0) std::puts("even");
  one.join();
}
void a_random_device_decides() {
  std::thread one([] {
    const int device = open("/dev/urandom", O_RDONLY);
    char byte = 0;
    if (read(device, &byte, 1) == 1 && byte % 2 == 0) std::puts("even");
    close(device);
  });
  one.join();
}
// The executions begin after it.
void random_numbers_first() {
  const unsigned number = std::random_device()();
  std::thread one([number] {
    if (number % 2 == 0) std::puts("even");
  });
  one.join();
}

// Nobody else is there when it is asked for.
void a_processor_alone() {
  std::thread one([] {});
  one.join();
  assert(sched_getcpu() >= 0);
}

void store_buffering(std::memory_order stores, std::memory_order loads) {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int left = 0;
  std::thread other([&] {
    y.store(1, stores);
    left = x.load(loads);
  });
  x.store(1, stores);
  const int right = y.load(loads);
  other.join();
  std::printf("%d %d\n", left, right);
}

void weak_both() { store_buffering(std::memory_order_release, std::memory_order_acquire); }
void weak_stores() { store_buffering(std::memory_order_relaxed, std::memory_order_seq_cst); }
void weak_loads() { store_buffering(std::memory_order_seq_cst, std::memory_order_relaxed); }
// The other thread has the number 4, and the place of those that have ended.
void weak_after_others() {
  for (int i = 0; i < 3; ++i) std::thread([] {}).join();
  weak_both();
}
void strong() { store_buffering(std::memory_order_seq_cst, std::memory_order_seq_cst); }

// The lock orders the load behind the store, so that it cannot be stale.
void weak_under_a_lock() {
  std::mutex mutex;
  std::atomic<int> x{0};
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    x.store(1, std::memory_order_relaxed);
  });
  {
    const std::lock_guard lock(mutex);
    std::printf("%d\n", x.load(std::memory_order_relaxed));
  }
  other.join();
}

// Read-modify-writes return the last value, whatever their order.
void weak_counter() {
  std::atomic<int> x{0};
  std::thread other([&] { x.fetch_add(1, std::memory_order_relaxed); });
  x.fetch_add(1, std::memory_order_relaxed);
  other.join();
}

// Another process decides when the threads go on.
void a_child_answers() {
  int answer[2];
  if (pipe(answer) != 0) std::abort();
  std::atomic<int> turns{0};
  std::thread other([&] { ++turns; });
  const pid_t child = fork();
  if (child == 0) {
    usleep(1000);
    _exit(write(answer[1], "x", 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  if (read(answer[0], &byte, 1) != 1) std::abort();
  ++turns;
  other.join();
  waitpid(child, nullptr, 0);
}

// The file that a variable names, which somebody else may write. Three threads, so there are many schedules.
void reads_a_file() {
  std::atomic<int> turns{0};
  std::atomic<int> read{0};
  const auto work = [&] {
    FILE* const file = std::fopen(std::getenv("READ_FILE"), "r");
    if (file == nullptr) std::abort();
    read += std::fgetc(file) != EOF;
    std::fclose(file);
    for (int i = 0; i < 4; ++i) ++turns;
  };
  std::thread one(work), two(work), three(work);
  one.join();
  two.join();
  three.join();
  if (read != 3) std::abort();
}

constexpr Scenario k_scenarios[] = {
    {"reads_a_file", reads_a_file},
    {"a_sleep_orders", a_sleep_orders},
    {"a_sleep_alone", a_sleep_alone},
    {"a_clock_decides", a_clock_decides},
    {"a_clock_alone", a_clock_alone},
    {"a_timed_wait_is_ended", a_timed_wait_is_ended},
    {"a_guard_is_ended", a_guard_is_ended},
    {"a_guard_ends_by_its_time", a_guard_ends_by_its_time},
    {"a_timed_wait_ends_beside_others", a_timed_wait_ends_beside_others},
    {"a_timed_wait_ends_alone", a_timed_wait_ends_alone},
    {"a_signal_of_a_timer_is_late", a_signal_of_a_timer_is_late},
    {"a_thread_of_a_timer_is_late", a_thread_of_a_timer_is_late},
    {"a_watchdog_is_set", a_watchdog_is_set},
    {"a_watchdog_gets_a_handler", a_watchdog_gets_a_handler},
    {"a_guard_misses_its_notification", a_guard_misses_its_notification},
    {"a_poll_misses_its_notification", a_poll_misses_its_notification},
    {"a_poll_is_ended", a_poll_is_ended},
    {"a_timed_wait_is_notified", a_timed_wait_is_notified},
    {"a_timed_lock_is_taken", a_timed_lock_is_taken},
    {"a_timed_lock_is_free", a_timed_lock_is_free},
    {"a_timed_join_is_ended", a_timed_join_is_ended},
    {"depends_on_a_timed_wait", depends_on_a_timed_wait},
    {"depends_on_a_timed_wait_deeply", depends_on_a_timed_wait_deeply},
    {"depends_on_a_timer", depends_on_a_timer},
    {"waits_for_a_timer", waits_for_a_timer},
    {"waits_beside_a_timer", waits_beside_a_timer},
    {"depends_on_a_sleep", depends_on_a_sleep},
    {"waits_in_a_loop", waits_in_a_loop},
    {"depends_on_a_notification", depends_on_a_notification},
    {"races_for_long", races_for_long},
    {"depends_on_a_timed_wait_beside_others", depends_on_a_timed_wait_beside_others},
    {"a_processor_decides", a_processor_decides},
    {"random_numbers_decide", random_numbers_decide},
    {"a_random_device_decides", a_random_device_decides},
    {"random_numbers_first", random_numbers_first},
    {"a_processor_alone", a_processor_alone},
    {"a_sleep_takes_its_time", a_sleep_takes_its_time},
    {"weak_both", weak_both},
    {"weak_stores", weak_stores},
    {"weak_loads", weak_loads},
    {"weak_after_others", weak_after_others},
    {"strong", strong},
    {"weak_under_a_lock", weak_under_a_lock},
    {"weak_counter", weak_counter},
    {"a_child_answers", a_child_answers},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
