// Executions that do not end, and tests with too many schedules.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

void counts_for_ever() {
  std::atomic<bool> stop{false};
  std::atomic<int> turns{0};
  std::thread worker([&] {
    while (!stop.load()) ++turns;
  });
  worker.join();
}

void two_count_for_ever() {
  std::thread other(counts_for_ever);
  counts_for_ever();
  other.join();
}

// Only who comes late races, and does not end.
void races_and_counts_for_ever() {
  std::atomic<bool> late{false};
  std::atomic<int> turns{0};
  int plain = 0;
  std::thread other([&] {
    plain = 1;
    late.store(true, std::memory_order_relaxed);
  });
  if (late.load(std::memory_order_relaxed))
    for (plain = 2;;) ++turns;
  other.join();
}

void two_race_and_count_for_ever() {
  std::atomic<int> turns{0};
  int plain = 0;
  const auto count = [&] {
    for (plain = 1;;) ++turns;
  };
  std::thread one(count), two(count);
  one.join();
  two.join();
}

std::vector<int> g_blocks;
int turns_of_allocation = 0;

int count_long() {
  std::atomic<int> turns{0};
  std::thread worker([&] {
    for (int i = 0; i < 30000; ++i) ++turns;
  });
  ++turns;
  worker.join();
  return turns;
}

// Each allocation and each end of a block is told with its stack in a report, so there are more of them than
// steps.
void allocate_deep(int depth) { // NOLINT(misc-no-recursion)
  if (depth != 0) {
    allocate_deep(depth - 1);
    turns_of_allocation += depth;
    return;
  }
  for (int i = 0; i < 500; ++i) std::vector<int>(100).swap(g_blocks);
}

void fails_after_many_blocks() {
  std::thread worker([] { allocate_deep(60); });
  worker.join();
  std::abort();
}

void counts_long() {
  if (count_long() != 30001) std::abort();
}

// As long as tests that put a million elements through a queue.
void counts_very_long() {
  constexpr int k_each = 5500000;
  std::atomic<long> count = 0;
  std::thread other([&] {
    for (int i = 0; i < k_each; ++i) ++count;
  });
  for (int i = 0; i < k_each; ++i) ++count;
  other.join();
  if (count != 2 * k_each) std::abort();
}

// The work takes milliseconds natively, and the sleep a second. In the default order nobody sleeps.
void sleeps_beside_long_work() {
  std::atomic<long> count = 0;
  std::atomic<bool> started = false;
  std::atomic<bool> done = false;
  std::thread worker([&] {
    started = true;
    for (int i = 0; i < 600000; ++i) ++count;
    done = true;
  });
  std::thread sleeper([&] {
    if (started) return;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    if (!done) std::abort();
  });
  worker.join();
  sleeper.join();
}

void counts_long_and_fails() {
  if (count_long() != 0) std::abort();
}

volatile int turns = 0; // written, so that the counter is needed

void spin_and_count(const std::atomic<bool>& stop) {
  int own = 0;
  while (!stop.load()) ++own;
  turns = own;
}

// The counter is another one in each turn, so it is not known that the loop does not end.
void spins_and_counts_for_ever() {
  std::atomic<bool> stop{false};
  std::thread worker([&] { spin_and_count(stop); });
  worker.join();
}

void spins_and_counts() {
  std::atomic<bool> stop{false};
  std::thread worker([&] { spin_and_count(stop); });
  stop.store(true);
  worker.join();
}

void spin_for_ever() {
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop.load()) {
    }
  });
  worker.join();
}

// Each thread waits for the other one's flag.
void spin_for_each_other() {
  std::atomic<int> said{0};
  const auto waits_for = [&](int bit) {
    while ((said.load() & bit) == 0) {
    }
    said |= 3 - bit;
  };
  std::thread one(waits_for, 1);
  std::thread two(waits_for, 2);
  one.join();
  two.join();
}

bool g_done = false;
bool g_acknowledged = false;
std::mutex g_of_done;

bool is_set(const bool& flag) {
  const std::lock_guard lock(g_of_done);
  return flag;
}

// Each thread polls a flag that only the other one would set.
void poll_for_each_other() {
  const auto waits_for = [](const bool& flag, bool& answer) {
    while (!is_set(flag)) {
    }
    const std::lock_guard lock(g_of_done);
    answer = true;
  };
  std::thread one([&] { waits_for(g_done, g_acknowledged); });
  std::thread two([&] { waits_for(g_acknowledged, g_done); });
  one.join();
  two.join();
}

int g_patience = 300;

// The compiler adds no hooks here.
[[gnu::noinline, gnu::no_sanitize("thread")]] bool is_impatient() { return --g_patience <= 0; }

void spins_until_impatient() {
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop.load() && !is_impatient()) {
    }
  });
  worker.join();
}

// Backs off for longer and longer, up to a limit.
void spins_with_capped_back_off() {
  std::atomic<bool> ready{false};
  std::thread worker([&] {
    for (int most = 2;; most = most < 16 ? 2 * most : most)
      for (int i = 0; i < most; ++i)
        if (ready.load()) return;
  });
  ready.store(true);
  worker.join();
}

// The same, and nobody ever comes.
void backs_off_for_ever() {
  std::atomic<bool> ready{false};
  std::thread worker([&] {
    for (int most = 2;; most = most < 4 ? 2 * most : most)
      for (int i = 0; i < most; ++i)
        if (ready.load()) return;
  });
  worker.join();
}

// If the second thread runs before the first, it allocates memory for ever.
void allocates_for_ever() {
  std::atomic<bool> bounded{false};
  std::thread one([&] { bounded = true; });
  std::thread two([&] {
    const bool ends = bounded;
    std::vector<std::unique_ptr<char[]>> all;
    do all.push_back(std::make_unique_for_overwrite<char[]>(1 << 20));
    while (!ends);
    std::printf("%zu", all.size());
  });
  one.join();
  two.join();
}

void readers_become_writers() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  const auto upgrade = [&] {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
  };
  std::thread one(upgrade);
  std::thread two(upgrade);
  one.join();
  two.join();
}

std::mutex outer, inner;
std::condition_variable never;

// Holds the outer lock while it waits with the inner one.
[[gnu::noinline]] void wait_with(std::unique_lock<std::mutex>& held) {
  const std::lock_guard all(outer);
  never.wait(held);
}

void waits_with_the_lock() {
  std::thread one([] {
    std::this_thread::sleep_for(1ms);
    const std::lock_guard all(outer);
  });
  std::thread two([] {
    std::unique_lock held(inner);
    wait_with(held);
  });
  one.join();
  two.join();
}

// A class of locks of the project's own, and its guard.
class Latch {
public:
  [[gnu::noinline]] void close() { m_lock.lock(); }
  [[gnu::noinline]] void open() { m_lock.unlock(); }

private:
  std::mutex m_lock;
};
class Closed {
public:
  explicit Closed(Latch& latch) : m_latch(latch) { m_latch.close(); }
  ~Closed() { m_latch.open(); }
  Closed(const Closed&) = delete;
  Closed& operator=(const Closed&) = delete;

private:
  Latch& m_latch;
};
Latch left, right;

[[gnu::noinline]] void from_left_to_right() {
  const Closed first(left);
  const Closed second(right);
}

[[gnu::noinline]] void from_right_to_left() {
  const Closed first(right);
  const Closed second(left);
}

void locks_by_helpers() {
  std::thread one(from_left_to_right);
  std::thread two(from_right_to_left);
  one.join();
  two.join();
}

// The compiler must neither remove the recursion nor make a loop of it.
[[gnu::noinline]] int descend(volatile int* depth) {
  volatile char frame[512];
  *depth = *depth + 1;
  frame[0] = static_cast<char>(*depth);
  if (*depth < 0) return 0;
  return descend(depth) + frame[0];
}

void main_stack_overflow() {
  std::thread([] {}).join();
  volatile int depth = 0;
  descend(&depth);
}

// Endless in some schedules; passes in the others.
void sometimes_endless() {
  std::atomic<int> value{0};
  std::thread one([&] { value = 1; });
  std::thread two([&] {
    for (const int seen = value; seen == 1;) ++value;
  });
  one.join();
  two.join();
  std::printf("ended\n");
}

// Endless in some schedules; fails in others.
void endless_or_failing() {
  std::atomic<int> value{0};
  std::thread one([&] { value = 1; });
  std::thread two([&] {
    if (value.load() == 0) std::abort();
    for (;;) ++value;
  });
  one.join();
  two.join();
}

void large() {
  static std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([] {
      for (int turn = 0; turn < 40; ++turn) ++sum;
    });
  for (std::thread& thread : threads) thread.join();
}

void waits_with_timeout() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  bool in_time = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    in_time = changed.wait_for(lock, 20ms, [&] { return ready; });
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  }
  waiter.join();
  std::printf(in_time ? "in time\n" : "late\n");
}

// It blocks only when it has polled for its time.
void polls_with_timeout() {
  std::atomic<bool> ready{false};
  std::atomic<bool> set{false};
  bool in_time = true;
  std::thread waiter([&] {
    const auto end = std::chrono::steady_clock::now() + 10us;
    bool late = false;
    while (!ready && !late) late = std::chrono::steady_clock::now() >= end;
    in_time = !late;
    set.wait(false);
  });
  ready = true;
  set = true;
  set.notify_one();
  waiter.join();
  std::printf(in_time ? "in time\n" : "late\n");
}

void locks_with_timeout() {
  std::timed_mutex mutex;
  mutex.lock();
  bool got = false;
  std::thread waiter([&] {
    got = mutex.try_lock_for(10ms);
    if (got) mutex.unlock();
  });
  mutex.unlock();
  waiter.join();
  std::printf(got ? "in time\n" : "late\n");
}

// Correct only if there are no spurious wake-ups.
void wait_without_loop() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  bool seen = true;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    if (!ready) changed.wait(lock);
    seen = ready;
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  }
  waiter.join();
  std::printf(seen ? "ready\n" : "not ready\n");
}

void weak_exchange() {
  std::atomic<int> value{0};
  int tries = 0;
  std::thread other([&] {
    int old = 0;
    ++tries;
    if (!value.compare_exchange_weak(old, 1)) ++tries;
  });
  other.join();
  std::printf("%d\n", tries);
}

// However often the exchange fails for no reason, it can succeed the next time.
void weak_exchange_in_a_loop() {
  std::atomic<int> value{0};
  std::thread other([&] {
    int old = 0;
    while (!value.compare_exchange_weak(old, old + 1)) continue;
  });
  other.join();
  std::printf("%d\n", value.load());
}

volatile unsigned g_never = 0;

// With hooks, and each turn is another one: neither a spin nor a wait.
__attribute__((noinline)) void count_in_a_loop() {
  while (g_never + 1 != 0) g_never = g_never == 1000 ? 0 : g_never + 1;
}

void computes_for_ever() {
  std::mutex mutex;
  std::thread worker([&] {
    std::lock_guard lock(mutex);
    count_in_a_loop();
  });
  worker.join();
}

// A call of the kernel that reex does not see.
__attribute__((noinline)) void sleep_in_the_kernel() {
  const timespec time{1000, 0};
  long result = SYS_nanosleep;
  asm volatile("syscall" : "+a"(result) : "D"(&time), "S"(nullptr) : "rcx", "r11", "memory");
}

void waits_in_the_kernel() {
  std::mutex mutex;
  std::thread worker([&] {
    std::lock_guard lock(mutex);
    sleep_in_the_kernel();
  });
  worker.join();
}

// Hangs in some schedules, and prints different things in the others.
void waits_in_the_kernel_or_prints() {
  std::atomic<int> state{0};
  std::thread worker([&] {
    state.store(1);
    state.store(2);
    std::printf("w");
  });
  if (state.load() == 1) sleep_in_the_kernel();
  std::printf("m");
  worker.join();
}

void no_threads() { std::printf("alone\n"); }

void timer_without_threads() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  sigaction(SIGALRM, &action, nullptr);
  itimerval soon{};
  soon.it_value.tv_usec = 1000;
  setitimer(ITIMER_REAL, &soon, nullptr);
  pause();
}

// Before the first thread, a signal of a timer ends a call that waits for a descriptor, with a limit or
// without.
void polls_before_threads() {
  static int pipe_ends[2];
  static volatile sig_atomic_t writes = 0;
  if (pipe(pipe_ends) != 0) std::_Exit(1);
  struct sigaction action {};
  action.sa_handler = [](int) {
    if (writes != 0 && write(pipe_ends[1], "x", 1) != 1) std::_Exit(2);
  };
  sigaction(SIGALRM, &action, nullptr);
  itimerval soon{};
  soon.it_value.tv_usec = 20000;
  pollfd wanted{pipe_ends[0], POLLIN, 0};
  for (const int limit : {60000, -1}) {
    setitimer(ITIMER_REAL, &soon, nullptr);
    if (poll(&wanted, 1, limit) != -1 || errno != EINTR) std::_Exit(3);
  }
  if (poll(&wanted, 1, 10) != 0) std::_Exit(4);
  writes = 1;
  setitimer(ITIMER_REAL, &soon, nullptr);
  if (poll(&wanted, 1, 60000) != -1 || poll(&wanted, 1, 60000) != 1) std::_Exit(5);
  std::thread([] {}).join();
}

void timer_descriptor_without_threads() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  itimerspec soon{};
  soon.it_value.tv_nsec = 1000000;
  timerfd_settime(timer, 0, &soon, nullptr);
  std::uint64_t expirations = 0;
  if (read(timer, &expirations, sizeof expirations) != sizeof expirations) std::_Exit(1);
}

// Ends the thread as a C library would, which nobody but the kernel sees.
void exits_in_assembly() {
  std::thread thread([] {
    long number = SYS_exit;
    asm volatile("syscall" : "+a"(number) : "D"(0) : "rcx", "r11", "memory");
  });
  thread.join();
}

// For the kernel, a thread has a user of its own.
void user_of_one_thread() {
  std::thread([] { syscall(SYS_setuid, getuid()); }).join();
}

void exits_by_number() {
  std::thread thread([] { syscall(SYS_exit, 0); });
  thread.join();
}

void ends_by_number() {
  std::thread thread([] { syscall(SYS_exit_group, 0); });
  thread.join();
}

// Every execution shows the races of two variables.
void two_races() {
  static int a = 0;
  static int b = 0;
  static std::atomic<int> steps{0};
  const auto work = [] {
    for (int i = 0; i < 5; ++i) ++steps;
    ++a;
    ++b;
  };
  std::thread one(work);
  std::thread other(work);
  one.join();
  other.join();
}

// Who comes first works slowly, for ever: the other one has to come before.
void first_works_for_ever() {
  std::atomic<bool> came{false};
  std::atomic<int> steps{0};
  std::thread worker([&] {
    if (came.load()) std::abort();
    for (;; ++steps) {
      for (int i = 0; i < 100; ++i) asm volatile("pause");
    }
  });
  std::thread other([&] { came = true; });
  worker.join();
  other.join();
}

// A little more than a first execution may have before it gives way, and slowly.
void works_slowly() {
  std::atomic<int> steps{0};
  const auto work = [&] {
    for (int i = 0; i < 130000; ++i, ++steps)
      for (int turn = 0; turn < 5000; ++turn) asm volatile("");
  };
  std::thread other(work);
  work();
  other.join();
}

// Few schedules, and each computes for a part of a second: at almost any moment, all workers execute one.
[[gnu::noinline, gnu::no_sanitize("thread")]] void compute_unseen() {
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 200'000'000; ++i) sum = sum + i;
}

void takes_long() {
  static std::atomic<int> steps{0};
  const auto work = [] {
    for (int i = 0; i < 2; ++i) ++steps;
    compute_unseen();
  };
  std::thread other(work);
  work();
  other.join();
}

// If time passes, who watches loses patience.
template <class Body>
void watched(const Body& body) {
  sem_t end;
  sem_init(&end, 0, 0);
  std::thread watches([&] {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    if (sem_timedwait(&end, &until) != 0) std::abort();
  });
  body();
  sem_post(&end);
  watches.join();
}

class CountingLock {
public:
  void lock() {
    int tries = 0;
    while (owner.load() == thread.load() && taken.test_and_set(std::memory_order_acquire))
      if (++tries < 10000) std::this_thread::yield();
  }
  void unlock() { taken.clear(std::memory_order_release); }

private:
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  std::atomic<int> owner{1}, thread{1};
};

// A loop that takes a lock and counts its turns is suspected of a spin. But the lock was given back since its
// last turn: it must not be put back now.
void takes_what_was_cleared() {
  watched([] {
    CountingLock lock;
    std::atomic<bool> ready{false};
    lock.lock();
    std::thread other([&] {
      ready = true;
      lock.lock();
      lock.unlock();
    });
    while (!ready) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    lock.unlock();
    other.join();
  });
}

// Nor if nothing else was done while the lock was held.
void takes_what_was_taken_back() {
  watched([] {
    CountingLock lock;
    std::thread other([&] {
      lock.lock();
      lock.unlock();
    });
    lock.lock();
    lock.unlock();
    other.join();
  });
}

constexpr Scenario k_scenarios[] = {
    {"takes_what_was_cleared", takes_what_was_cleared},
    {"takes_what_was_taken_back", takes_what_was_taken_back},
    {"takes_long", takes_long},
    {"first_works_for_ever", first_works_for_ever},
    {"works_slowly", works_slowly},
    {"two_races", two_races},
    {"exits_in_assembly", exits_in_assembly},
    {"exits_by_number", exits_by_number},
    {"user_of_one_thread", user_of_one_thread},
    {"ends_by_number", ends_by_number},
    {"counts_for_ever", counts_for_ever},
    {"computes_for_ever", computes_for_ever},
    {"waits_in_the_kernel", waits_in_the_kernel},
    {"waits_in_the_kernel_or_prints", waits_in_the_kernel_or_prints},
    {"two_count_for_ever", two_count_for_ever},
    {"races_and_counts_for_ever", races_and_counts_for_ever},
    {"two_race_and_count_for_ever", two_race_and_count_for_ever},
    {"fails_after_many_blocks", fails_after_many_blocks},
    {"counts_long", counts_long},
    {"counts_very_long", counts_very_long},
    {"sleeps_beside_long_work", sleeps_beside_long_work},
    {"counts_long_and_fails", counts_long_and_fails},
    {"spins_and_counts_for_ever", spins_and_counts_for_ever},
    {"spins_and_counts", spins_and_counts},
    {"spin_for_ever", spin_for_ever},
    {"spin_for_each_other", spin_for_each_other},
    {"poll_for_each_other", poll_for_each_other},
    {"spins_until_impatient", spins_until_impatient},
    {"spins_with_capped_back_off", spins_with_capped_back_off},
    {"backs_off_for_ever", backs_off_for_ever},
    {"allocates_for_ever", allocates_for_ever},
    {"readers_become_writers", readers_become_writers},
    {"waits_with_the_lock", waits_with_the_lock},
    {"locks_by_helpers", locks_by_helpers},
    {"main_stack_overflow", main_stack_overflow},
    {"sometimes_endless", sometimes_endless},
    {"endless_or_failing", endless_or_failing},
    {"large", large},
    {"waits_with_timeout", waits_with_timeout},
    {"polls_with_timeout", polls_with_timeout},
    {"locks_with_timeout", locks_with_timeout},
    {"wait_without_loop", wait_without_loop},
    {"weak_exchange", weak_exchange},
    {"weak_exchange_in_a_loop", weak_exchange_in_a_loop},
    {"no_threads", no_threads},
    {"polls_before_threads", polls_before_threads},
    {"timer_without_threads", timer_without_threads},
    {"timer_descriptor_without_threads", timer_descriptor_without_threads},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
