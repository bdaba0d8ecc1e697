// Condition variables, semaphores, latches, barriers, once, futures, atomic waiting, stop tokens.
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <semaphore.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

std::string g_log;

void print_log() { std::printf("%s\n", g_log.c_str()); }

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

void condition() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    const bool at_once = ready;
    changed.wait(lock, [&] { return ready; });
    g_log = at_once ? "ready" : "waited";
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_one();
  waiter.join();
  print_log();
}

void lost_wakeup() {
  std::mutex mutex;
  std::condition_variable changed;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock);
  });
  changed.notify_one();
  waiter.join();
  std::printf("woken\n");
}

// All `count` waiters sleep, and each of them can be the one that is woken.
void notify(int count, bool all) {
  std::mutex mutex;
  std::condition_variable changed;
  std::condition_variable asleep;
  int sleeping = 0;
  std::vector<std::thread> waiters;
  for (int i = 1; i <= count; ++i)
    waiters.emplace_back([&, i] {
      std::unique_lock lock(mutex);
      if (++sleeping == count) asleep.notify_one();
      changed.wait(lock);
      g_log += std::to_string(i);
    });
  {
    std::unique_lock lock(mutex);
    asleep.wait(lock, [&] { return sleeping == count; });
    if (all)
      changed.notify_all();
    else
      changed.notify_one();
    if (!all) {
      while (g_log.empty()) asleep.wait_for(lock, 1ms);
      print_log();
      changed.notify_all();
    }
  }
  for (std::thread& waiter : waiters) waiter.join();
  if (all) print_log();
}

void notify_one_of_two() { notify(2, false); }
void notify_one_of_three() { notify(3, false); }
void notify_all() { notify(2, true); }

void timed_wait_alone() {
  std::mutex mutex;
  std::condition_variable changed;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    const auto start = std::chrono::steady_clock::now();
    g_log = changed.wait_for(lock, 20ms) == std::cv_status::timeout ? "late" : "woken";
    if (std::chrono::steady_clock::now() - start < 20ms) g_log = "early";
    if (changed.wait_until(lock, std::chrono::system_clock::now() + 1s) != std::cv_status::timeout)
      g_log = "woken";
  });
  waiter.join();
  print_log();
}

// Who has looked at clocks is ahead of virtual time, but no wait is longer for that.
void look_at_clocks() {
  const auto first = std::chrono::steady_clock::now();
  const auto second = std::chrono::steady_clock::now();
  const auto third = std::chrono::system_clock::now();
  if (second <= first || third.time_since_epoch() < 1s) std::abort();
}

void timed_wait_of_no_time() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread thread([&] { promise.set_value(); });
  look_at_clocks();
  g_log = future.wait_for(0s) == std::future_status::ready ? "ready" : "late";
  thread.join();
  print_log();
}

void timed_waits_of_equal_times() {
  std::mutex mutex;
  const auto wait = [&](bool looks, char name) {
    if (looks) look_at_clocks();
    std::mutex own;
    std::condition_variable never;
    std::unique_lock lock(own);
    never.wait_for(lock, 20ms);
    const std::lock_guard guard(mutex);
    g_log += name;
  };
  std::thread one(wait, true, '1');
  std::thread two(wait, false, '2');
  one.join();
  two.join();
  print_log();
}

// A timeout is a choice only with --timeouts.
void timed_wait_notified() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    g_log = changed.wait_for(lock, 20ms, [&] { return ready; }) ? "woken" : "late";
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
    changed.notify_one();
  }
  waiter.join();
  print_log();
}

void condition_any() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::thread waiter([&] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
    g_log = "woken";
  });
  {
    std::lock_guard lock(mutex);
    ready = true;
  }
  changed.notify_all();
  waiter.join();
  print_log();
}

void condition_any_stopped() {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::jthread waiter([&](std::stop_token stop) {
    std::unique_lock lock(mutex);
    g_log = changed.wait(lock, stop, [] { return false; }) ? "woken" : "stopped";
  });
  waiter.request_stop();
  waiter.join();
  print_log();
}

void posix_semaphore() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  const auto work = [&](char id) {
    sem_wait(&semaphore);
    g_log += id;
    sem_post(&semaphore);
  };
  both([&] { work('1'); }, [&] { work('2'); });
  int value = 0;
  sem_getvalue(&semaphore, &value);
  std::printf("%s %d\n", g_log.c_str(), value);
  sem_destroy(&semaphore);
}

void semaphore_try() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  both([&] { sem_post(&semaphore); },
       [&] { g_log = sem_trywait(&semaphore) == 0 ? "got"
                     : errno == EAGAIN            ? "empty"
                                                  : "error"; });
  print_log();
}

void semaphore_timed() {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  std::thread waiter([&] {
    timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3;
    g_log += sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT ? 'r' : '!';
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += 3;
    g_log += sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == -1 && errno == ETIMEDOUT ? 'm' : '!';
  });
  waiter.join();
  print_log();
}

void counting_semaphore() {
  std::counting_semaphore<2> room(2);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  const auto work = [&] {
    room.acquire();
    const int now = ++inside;
    if (now > most) most = now;
    --inside;
    room.release();
  };
  both(work, work);
  std::printf("%d\n", most.load());
}

void binary_semaphore() {
  std::binary_semaphore ping(0);
  std::binary_semaphore pong(0);
  both(
      [&] {
        for (int i = 0; i < 2; ++i) {
          g_log += 'a';
          ping.release();
          pong.acquire();
        }
      },
      [&] {
        for (int i = 0; i < 2; ++i) {
          ping.acquire();
          g_log += 'b';
          pong.release();
        }
      });
  print_log();
}

void binary_semaphore_try() {
  std::binary_semaphore gate(0);
  both([&] { gate.release(); }, [&] { g_log = gate.try_acquire() ? "got" : "empty"; });
  print_log();
}

void binary_semaphore_timed() {
  std::binary_semaphore gate(0);
  std::thread waiter([&] { g_log = gate.try_acquire_for(10ms) ? "got" : "late"; });
  waiter.join();
  print_log();
}

void latch() {
  std::latch done(2);
  std::atomic<int> worked{0};
  std::thread one([&] { ++worked, done.count_down(); });
  std::thread two([&] { ++worked, done.count_down(); });
  done.wait();
  std::printf("%d\n", worked.load());
  one.join();
  two.join();
}

void latch_arrive() {
  std::latch together(2);
  both([&] { together.arrive_and_wait(); }, [&] { together.arrive_and_wait(); });
  std::printf("%d\n", together.try_wait());
}

void barrier() {
  int phase = 0;
  const auto completion = [&]() noexcept { g_log += std::to_string(phase++); };
  std::barrier barrier(2, completion);
  const auto work = [&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
  };
  both(work, work);
  print_log();
}

void posix_barrier() {
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 2);
  const auto work = [&](char id) {
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) g_log += id;
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%zu\n", g_log.size());
  pthread_barrier_destroy(&barrier);
}

void call_once() {
  std::once_flag once;
  const auto work = [&](char id) { std::call_once(once, [&] { g_log += id; }); };
  both([&] { work('1'); }, [&] { work('2'); });
  print_log();
}

// The first call throws, and the other call runs the function again.
void call_once_throwing() {
  std::once_flag once;
  int tries = 0;
  char a = 0;
  char b = 0;
  const auto work = [&](char& result, char id) {
    try {
      std::call_once(once, [&] {
        if (tries++ == 0) throw std::runtime_error("first");
        result = id;
      });
    } catch (const std::runtime_error&) {
      result = 'x';
    }
  };
  both([&] { work(a, '1'); }, [&] { work(b, '2'); });
  std::printf("%c%c\n", a, b);
}

char first_to_ask(char id) {
  static const char first = id;
  return first;
}

void local_static() {
  char a = 0;
  char b = 0;
  both([&] { a = first_to_ask('1'); }, [&] { b = first_to_ask('2'); });
  std::printf("%c%c\n", a, b);
}

int g_tries = 0;
char fails_once(char id) {
  static const char made = [id] {
    if (g_tries++ == 0) throw std::runtime_error("first");
    return id;
  }();
  return made;
}

void local_static_throwing() {
  char seen[2] = {'-', '-'};
  const auto work = [&](int index) {
    try {
      seen[index] = fails_once(static_cast<char>('1' + index));
    } catch (const std::runtime_error&) {
      seen[index] = 'x';
    }
  };
  both([&] { work(0); }, [&] { work(1); });
  std::printf("%c%c\n", seen[0], seen[1]);
}

void async() {
  std::future<int> later = std::async(std::launch::async, [] { return 42; });
  std::future<int> lazy = std::async(std::launch::deferred, [] { return 1; });
  std::printf("%d\n", later.get() + lazy.get());
}

void async_throwing() {
  std::future<int> later =
      std::async(std::launch::async, []() -> int { throw std::runtime_error("thrown"); });
  try {
    later.get();
  } catch (const std::runtime_error& error) {
    std::printf("%s\n", error.what());
  }
}

void promise() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  int seen[2] = {};
  std::thread one([&] { seen[0] = future.get(); });
  std::thread two([&] { seen[1] = future.get(); });
  promise.set_value(7);
  one.join();
  two.join();
  std::printf("%d%d\n", seen[0], seen[1]);
}

void future_timed() {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread waiter([&] { g_log = future.wait_for(5ms) == std::future_status::timeout ? "late" : "ready"; });
  waiter.join();
  print_log();
}

void stop_token() {
  std::atomic<bool> called{false};
  std::jthread worker([&](std::stop_token stop) {
    std::stop_callback callback(stop, [&] { called = true; });
    while (!stop.stop_requested()) std::this_thread::yield();
  });
  worker.request_stop();
  worker.join();
  std::printf("%d\n", called.load());
}

void atomic_wait() {
  std::atomic<int> value{0};
  std::thread waiter([&] {
    value.wait(0);
    g_log = std::to_string(value.load());
  });
  value.store(1);
  value.notify_one();
  waiter.join();
  print_log();
}

void atomic_wait_lost() {
  std::atomic<int> value{0};
  std::thread waiter([&] { value.wait(0); });
  value.store(1); // without a notification
  waiter.join();
  std::printf("passed\n");
}

void atomic_notify_all() {
  std::atomic<int> value{0};
  both(
      [&] {
        value.wait(0);
        value.fetch_add(1);
      },
      [&] {
        value.store(1);
        value.notify_all();
      });
  std::printf("%d\n", value.load());
}

constexpr Scenario k_scenarios[] = {
    {"condition", condition},
    {"lost_wakeup", lost_wakeup},
    {"notify_one_of_two", notify_one_of_two},
    {"notify_one_of_three", notify_one_of_three},
    {"notify_all", notify_all},
    {"timed_wait_alone", timed_wait_alone},
    {"timed_wait_of_no_time", timed_wait_of_no_time},
    {"timed_waits_of_equal_times", timed_waits_of_equal_times},
    {"timed_wait_notified", timed_wait_notified},
    {"condition_any", condition_any},
    {"condition_any_stopped", condition_any_stopped},
    {"posix_semaphore", posix_semaphore},
    {"semaphore_try", semaphore_try},
    {"semaphore_timed", semaphore_timed},
    {"counting_semaphore", counting_semaphore},
    {"binary_semaphore", binary_semaphore},
    {"binary_semaphore_try", binary_semaphore_try},
    {"binary_semaphore_timed", binary_semaphore_timed},
    {"latch", latch},
    {"latch_arrive", latch_arrive},
    {"barrier", barrier},
    {"posix_barrier", posix_barrier},
    {"call_once", call_once},
    {"call_once_throwing", call_once_throwing},
    {"local_static", local_static},
    {"local_static_throwing", local_static_throwing},
    {"async", async},
    {"async_throwing", async_throwing},
    {"promise", promise},
    {"future_timed", future_timed},
    {"stop_token", stop_token},
    {"atomic_wait", atomic_wait},
    {"atomic_wait_lost", atomic_wait_lost},
    {"atomic_notify_all", atomic_notify_all},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
