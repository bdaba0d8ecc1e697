// Loops that wait with a time limit, again and again, beside a thread that waits for ever. The first ones
// never end; each of the others gives up at last, and then the thread is woken.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

std::mutex mutex;
std::condition_variable wanted, finished;
bool is_wanted = false, is_finished = false;
std::atomic<bool> flag{false};
std::timed_mutex held;
pthread_mutex_t c_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c_finished = PTHREAD_COND_INITIALIZER;

void work() {
  std::unique_lock lock(mutex);
  wanted.wait(lock, [] { return is_wanted; });
}

void wake() {
  const std::lock_guard lock(mutex);
  is_wanted = true;
  wanted.notify_one();
}

template <typename Waits>
void beside_a_hung_thread(Waits waits) {
  std::thread worker(work);
  waits();
  wake();
  worker.join();
}

void* map(int flags) { return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0); }

void condition() {
  map(MAP_PRIVATE); // before the first thread
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    while (!is_finished) finished.wait_for(lock, 100ms);
  });
}

void says_so() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    while (!is_finished) {
      finished.wait_for(lock, 1s);
      std::puts("still waiting");
      std::fflush(stdout);
    }
  });
}

void condition_until() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    while (!finished.wait_until(lock, std::chrono::system_clock::now() + 1500ms, [] { return is_finished; }))
      flag = false;
  });
}

void c_condition() {
  beside_a_hung_thread([] {
    pthread_mutex_lock(&c_mutex);
    while (!is_finished) {
      timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_nsec += 250'000'000;
      if (until.tv_nsec >= 1'000'000'000) {
        until.tv_nsec -= 1'000'000'000;
        ++until.tv_sec;
      }
      pthread_cond_timedwait(&c_finished, &c_mutex, &until);
    }
    pthread_mutex_unlock(&c_mutex);
  });
}

void a_future() {
  beside_a_hung_thread([] {
    std::promise<int> never;
    const auto result = never.get_future();
    while (result.wait_for(1s) != std::future_status::ready) {
    }
  });
}

void a_semaphore() {
  beside_a_hung_thread([] {
    sem_t never;
    sem_init(&never, 0, 0);
    timespec until;
    do {
      clock_gettime(CLOCK_REALTIME, &until);
      ++until.tv_sec;
    } while (sem_timedwait(&never, &until) != 0);
  });
}

void a_pipe() {
  beside_a_hung_thread([] {
    int ends[2];
    if (pipe(ends) != 0) return;
    pollfd reading{.fd = ends[0], .events = POLLIN, .revents = 0};
    auto last = steady_clock::now();
    while (poll(&reading, 1, 20) == 0) last = std::max(last, steady_clock::now());
  });
}

void sleeps() {
  beside_a_hung_thread([] {
    auto last = steady_clock::now();
    for (; !flag; last = std::max(last, steady_clock::now())) std::this_thread::sleep_for(3ms);
  });
}

void a_lock() {
  std::thread worker([] {
    const std::lock_guard lock(held);
    flag = true;
    work();
  });
  while (!flag) std::this_thread::yield();
  while (!held.try_lock_for(5ms)) {
  }
  worker.join();
}

void several() {
  std::vector<std::thread> workers;
  for (int i = 1; i < 4; ++i)
    workers.emplace_back([i] {
      std::unique_lock lock(mutex);
      while (!is_wanted) wanted.wait_for(lock, i * 7ms);
    });
  for (std::thread& worker : workers) worker.join();
}

// More operations between two waits than reex goes beyond a low limit before it has seen the first wait.
void long_turns() {
  static std::atomic<int> looked_at[40];
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([] {
      std::unique_lock lock(mutex);
      while (!is_wanted) {
        wanted.wait_for(lock, 100ms);
        for (const std::atomic<int>& one : looked_at) one.load();
      }
    });
  for (std::thread& worker : workers) worker.join();
}

void spins_first() {
  static std::atomic<int> looked_at[1000];
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([] {
      while (true) {
        for (const std::atomic<int>& one : looked_at)
          if (one.load() != 0) return;
        std::unique_lock lock(mutex);
        wanted.wait_for(lock, 100ms);
      }
    });
  for (std::thread& worker : workers) worker.join();
}

void counts() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    for (int i = 0; i < 300 && !is_finished; ++i) finished.wait_for(lock, 100ms);
  });
}

// There is an end to it, a year or more ahead.
void has_a_deadline() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    const auto end = steady_clock::now() + 24h * 400;
    while (!is_finished && steady_clock::now() < end) finished.wait_for(lock, 100ms);
  });
}

// Each month it tries something else, and it gives up at last.
void counts_months() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    auto last = steady_clock::now();
    for (int months = 0; months < 100;) {
      finished.wait_for(lock, 1h);
      if (const auto now = steady_clock::now(); now - last > 24h * 30) {
        last = now;
        ++months;
      }
    }
  });
}

std::uint64_t rounds = 0;
void counts_for_others() {
  beside_a_hung_thread([] {
    std::unique_lock lock(mutex);
    while (++rounds < 300) finished.wait_for(lock, 100ms);
  });
}

void counts_in_memory(void* memory) {
  beside_a_hung_thread([memory] {
    auto& count = *static_cast<std::uint64_t*>(memory);
    std::unique_lock lock(mutex);
    while (++count < 300) finished.wait_for(lock, 100ms);
  });
}

// The kernel counts.
void counts_in_a_position() {
  beside_a_hung_thread([] {
    const int file = fileno(std::tmpfile());
    std::unique_lock lock(mutex);
    while (lseek(file, 1, SEEK_CUR) < 300) finished.wait_for(lock, 10ms);
  });
}

void counts_in_an_event() {
  beside_a_hung_thread([] {
    const int event = eventfd(0, EFD_NONBLOCK);
    const std::uint64_t much = ~std::uint64_t{0} / 300;
    std::unique_lock lock(mutex);
    while (write(event, &much, sizeof much) == sizeof much) finished.wait_for(lock, 10ms);
  });
}

void fills_a_pipe() {
  beside_a_hung_thread([] {
    int ends[2];
    static char much[512];
    if (pipe2(ends, O_NONBLOCK) != 0) return;
    std::unique_lock lock(mutex);
    while (write(ends[1], much, sizeof much) == sizeof much) finished.wait_for(lock, 10ms);
  });
}

void counts_in_a_file() {
  beside_a_hung_thread([] {
    FILE* file = std::tmpfile();
    const auto count = [descriptor = fileno(file)] {
      std::uint64_t counted = 0;
      const bool more = pread(descriptor, &counted, sizeof counted, 0) <= 0 || counted < 300;
      ++counted;
      if (pwrite(descriptor, &counted, sizeof counted, 0) <= 0) return false;
      counted = 0; // on the stack, nothing is left of it
      return more;
    };
    std::unique_lock lock(mutex);
    while (count()) finished.wait_for(lock, 10ms);
    std::fclose(file);
  });
}

void counts_in_the_kernel() {
  beside_a_hung_thread([] {
    const int set = semget(IPC_PRIVATE, 1, 0600);
    std::unique_lock lock(mutex);
    sembuf more{0, 1, 0};
    while (semop(set, &more, 1) == 0 && semctl(set, 0, GETVAL) < 300) finished.wait_for(lock, 10ms);
    semctl(set, 0, IPC_RMID);
  });
}

void counts_in_shared_memory() { counts_in_memory(map(MAP_SHARED)); }

void counts_in_mapped_memory() {
  std::thread([] {}).join();
  counts_in_memory(map(MAP_PRIVATE));
}

void counts_in_late_shared_memory() {
  std::thread([] {}).join();
  counts_in_memory(map(MAP_SHARED));
}

// Each of the two gives back what it has, and waits for what the other has: natively one of them is late.
void polite() {
  static std::timed_mutex a, b;
  const auto takes_both = [](std::timed_mutex& first, std::timed_mutex& second) {
    for (;;) {
      const std::lock_guard lock(first);
      std::this_thread::sleep_for(1ms);
      if (second.try_lock_for(1ms)) break;
    }
    second.unlock();
  };
  std::thread other(takes_both, std::ref(a), std::ref(b));
  takes_both(b, a);
  other.join();
}

#define INLINE [[gnu::always_inline]] inline // so that the waits are called where the counter is

timespec next_second() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  ++time.tv_sec;
  return time;
}

INLINE void at_a_semaphore() {
  static sem_t never;
  const timespec until = next_second();
  sem_timedwait(&never, &until);
}

INLINE void at_a_condition() {
  const timespec until = next_second();
  pthread_mutex_lock(&c_mutex);
  pthread_cond_timedwait(&c_finished, &c_mutex, &until);
  pthread_mutex_unlock(&c_mutex);
}

INLINE void at_a_lock() {
  const timespec until = next_second();
  pthread_mutex_timedlock(held.native_handle(), &until);
}

INLINE void in_a_nap() {
  const timespec until = next_second();
  clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr);
}

INLINE void in_a_poll() {
  next_second();
  poll(nullptr, 0, 10);
}

// The counter is in a register that the calls keep.
#define COUNTED(wait, in)                                                                                    \
  void counts_##wait##_##in() {                                                                              \
    std::atomic<bool> has_it = false;                                                                        \
    std::thread worker([&] {                                                                                 \
      const std::lock_guard lock(held);                                                                      \
      has_it = true;                                                                                         \
      work();                                                                                                \
    });                                                                                                      \
    while (!has_it) std::this_thread::yield();                                                               \
    register std::uint64_t count asm(#in) = 300;                                                             \
    do {                                                                                                     \
      wait();                                                                                                \
      --count;                                                                                               \
      asm volatile("" : "+r"(count));                                                                        \
    } while (count != 0);                                                                                    \
    wake();                                                                                                  \
    worker.join();                                                                                           \
  }
#define IN_EACH_REGISTER(wait)                                                                               \
  COUNTED(wait, rbx) COUNTED(wait, r12) COUNTED(wait, r13) COUNTED(wait, r14) COUNTED(wait, r15)
IN_EACH_REGISTER(at_a_semaphore)
IN_EACH_REGISTER(at_a_condition)
IN_EACH_REGISTER(at_a_lock)
IN_EACH_REGISTER(in_a_nap)
IN_EACH_REGISTER(in_a_poll)

#define SCENARIO(wait, in)                                                                                   \
  { #wait "_" #in, counts_##wait##_##in }
#define SCENARIOS(wait)                                                                                      \
  SCENARIO(wait, rbx), SCENARIO(wait, r12), SCENARIO(wait, r13), SCENARIO(wait, r14), SCENARIO(wait, r15)
// A thread that polls, and says so in each turn.
volatile int mark = 0;

void marks_and_unmarks() {
  beside_a_hung_thread([] {
    while (!flag) {
      mark = 1;
      mark = 0;
    }
  });
}

// The same, under a lock that another thread waits for, to end this.
void keeps_a_lock() {
  beside_a_hung_thread([] {
    bool is_over = false;
    std::mutex guard;
    std::thread other([&] {
      const std::lock_guard lock(guard);
      is_over = true;
    });
    for (bool seen = false; !seen;) {
      const std::lock_guard lock(guard);
      mark = 1;
      mark = 0;
      seen = is_over;
    }
    other.join();
  });
}

// The same, but in the end it gives up.
void counts_its_turns() {
  beside_a_hung_thread([] {
    for (int i = 0; i < 5000 && !flag; ++i) {
      mark = 1;
      mark = 0;
    }
  });
}

constexpr Scenario k_scenarios[] = {
    {"condition", condition},
    {"condition_until", condition_until},
    {"c_condition", c_condition},
    {"a_future", a_future},
    {"a_semaphore", a_semaphore},
    {"a_pipe", a_pipe},
    {"sleeps", sleeps},
    {"a_lock", a_lock},
    {"several", several},
    {"long_turns", long_turns},
    {"marks_and_unmarks", marks_and_unmarks},
    {"keeps_a_lock", keeps_a_lock},
    {"counts_its_turns", counts_its_turns},
    {"spins_first", spins_first},
    {"says_so", says_so},
    {"counts", counts},
    {"has_a_deadline", has_a_deadline},
    {"counts_months", counts_months},
    {"counts_for_others", counts_for_others},
    {"counts_in_a_position", counts_in_a_position},
    {"counts_in_an_event", counts_in_an_event},
    {"counts_in_a_file", counts_in_a_file},
    {"counts_in_the_kernel", counts_in_the_kernel},
    {"fills_a_pipe", fills_a_pipe},
    {"counts_in_shared_memory", counts_in_shared_memory},
    {"counts_in_mapped_memory", counts_in_mapped_memory},
    {"counts_in_late_shared_memory", counts_in_late_shared_memory},
    {"polite", polite},
    SCENARIOS(at_a_semaphore),
    SCENARIOS(at_a_condition),
    SCENARIOS(at_a_lock),
    SCENARIOS(in_a_nap),
    SCENARIOS(in_a_poll),
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
