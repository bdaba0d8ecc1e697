// Classes of C++20's library that use the primitives and are not in locks.cpp or waits.cpp.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <syncstream>
#include <thread>
#include <vector>

#include <iostream>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

std::string g_log;
std::mutex g_mutex;

void print_log() { std::printf("%s\n", g_log.c_str()); }
void note(char id) {
  const std::lock_guard lock(g_mutex);
  g_log += id;
}

void packaged_task() {
  std::packaged_task<int(int)> task([](int value) { return value + 1; });
  std::future<int> result = task.get_future();
  std::thread thread(std::move(task), 41);
  std::printf("%d\n", result.get());
  thread.join();
}

void deferred() {
  static bool ran = false;
  std::future<void> result = std::async(std::launch::deferred, [] { ran = true; });
  std::thread thread([] { note('t'); });
  const bool deferred = result.wait_for(0s) == std::future_status::deferred;
  const bool before = ran;
  result.get();
  thread.join();
  std::printf("%d%d%d\n", deferred, before, ran);
}

void shared_future() {
  std::promise<int> promise;
  const std::shared_future<int> result = promise.get_future().share();
  std::thread one([=] { note(static_cast<char>('0' + result.get())); });
  std::thread two([=] { note(static_cast<char>('0' + result.get())); });
  promise.set_value(7);
  one.join();
  two.join();
  print_log();
}

void broken_promise() {
  std::future<int> result;
  std::thread thread;
  {
    auto promise = std::make_shared<std::promise<int>>();
    result = promise->get_future();
    thread = std::thread([promise = std::move(promise)] {});
  }
  try {
    result.get();
  } catch (const std::future_error& error) {
    std::printf("%s\n", error.code() == std::future_errc::broken_promise ? "broken" : "?");
  }
  thread.join();
}

// A future that is polled. The thread that sets its value still runs.
void polled_future() {
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::thread thread([&] { promise.set_value(); });
  while (done.wait_for(0s) != std::future_status::ready) {
  }
  thread.join();
  std::printf("ready\n");
}

void value_at_thread_exit() {
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread thread([&] { promise.set_value_at_thread_exit(3); });
  std::printf("%d\n", result.get());
  thread.join();
}

void notify_at_thread_exit() {
  std::condition_variable changed;
  bool done = false;
  std::thread thread([&] {
    std::unique_lock lock(g_mutex);
    done = true;
    std::notify_all_at_thread_exit(changed, std::move(lock));
  });
  std::unique_lock lock(g_mutex);
  changed.wait(lock, [&] { return done; });
  lock.unlock();
  thread.join();
  std::printf("done\n");
}

// The completion function runs once in each phase, before any thread continues.
void barrier_completion() {
  static std::string phases;
  static int arrived = 0;
  const auto complete = []() noexcept { phases += static_cast<char>('0' + arrived); };
  std::barrier meeting(2, complete);
  const auto work = [&] {
    for (int i = 0; i < 2; ++i) {
      {
        const std::lock_guard lock(g_mutex);
        ++arrived;
      }
      meeting.arrive_and_wait();
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  std::printf("%s\n", phases.c_str());
}

void latch_try_wait() {
  std::latch done(1);
  std::thread thread([&] { done.count_down(); });
  std::printf("%s\n", done.try_wait() ? "done" : "not yet");
  thread.join();
}

void semaphore_timed() {
  std::counting_semaphore<4> semaphore(0);
  std::thread thread([&] { note(semaphore.try_acquire_for(10ms) ? 'g' : 'l'); });
  thread.join();
  print_log();
}

void stop_callback() {
  std::jthread worker([](const std::stop_token& stop) {
    std::atomic<bool> called{false};
    std::stop_callback callback(stop, [&] {
      called = true;
      called.notify_one();
    });
    called.wait(false);
    note('c');
  });
  worker.request_stop();
  worker.join();
  print_log();
}

template <class T>
void wait_and_notify(T from, T to) {
  std::atomic<T> value(from);
  std::thread waiter([&] {
    value.wait(from);
    note(value.load() == to ? '+' : '-');
  });
  value.store(to);
  value.notify_one();
  waiter.join();
  print_log();
}
void wait_1() { wait_and_notify<std::uint8_t>(0, 1); }
void wait_2() { wait_and_notify<std::uint16_t>(0, 1); }
void wait_4() { wait_and_notify<std::uint32_t>(0, 1); }
void wait_8() { wait_and_notify<std::uint64_t>(0, 1); }

void wait_flag() {
  std::atomic_flag flag;
  std::thread waiter([&] {
    flag.wait(false);
    note(flag.test() ? '+' : '-');
  });
  flag.test_and_set();
  flag.notify_all();
  waiter.join();
  print_log();
}

void atomic_shared_pointer() {
  std::atomic<std::shared_ptr<int>> pointer(std::make_shared<int>(1));
  std::thread writer([&] { pointer.store(std::make_shared<int>(2)); });
  const std::shared_ptr<int> seen = pointer.load();
  std::printf("%d\n", *seen);
  writer.join();
}

void atomic_reference() {
  int plain = 0;
  const auto add = [&] { std::atomic_ref<int>(plain).fetch_add(1); };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  std::printf("%d\n", plain);
}

void recursive_timed() {
  std::recursive_timed_mutex mutex;
  mutex.lock();
  mutex.lock();
  std::thread thread([&] { note(mutex.try_lock_for(1s) ? 'g' : 'l'); });
  mutex.unlock();
  thread.join();
  mutex.unlock();
  print_log();
}

void shared_timed() {
  std::shared_timed_mutex mutex;
  mutex.lock_shared();
  std::thread thread([&] {
    note(mutex.try_lock_shared_for(1s) ? 'r' : '-');
    mutex.unlock_shared();
    note(mutex.try_lock_until(std::chrono::steady_clock::now() + 1s) ? 'w' : '-');
    note(mutex.try_lock() ? 'w' : '-');
  });
  thread.join();
  mutex.unlock_shared();
  note(mutex.try_lock_for(0s) ? 'w' : '-');
  print_log();
}

void condition_any_shared() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  std::thread waiter([&] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [&] { return ready; });
    g_log += 'r';
  });
  {
    const std::unique_lock lock(mutex);
    ready = true;
  }
  changed.notify_all();
  waiter.join();
  print_log();
}

struct AtEnd {
  char id;
  ~AtEnd() { note(id); }
};

// The object that was created last is destroyed first. A destructor may wait for another thread.
void thread_locals() {
  const auto work = [](char first, char second) {
    thread_local AtEnd one{first};
    thread_local AtEnd two{second};
    one.id = first;
    two.id = second;
  };
  std::thread thread(work, 'a', 'b');
  std::thread other(work, 'x', 'y');
  thread.join();
  other.join();
  print_log();
}

int recursive_value();
int recursive_value() {
  static const int value = recursive_value() + 1;
  return value;
}
void recursive_static() {
  std::thread([] { recursive_value(); }).join();
}

void synchronized_output() {
  const auto say = [](const char* word) { std::osyncstream(std::cout) << word << '-' << word << ' '; };
  std::thread one(say, "a");
  std::thread two(say, "b");
  one.join();
  two.join();
  std::cout << std::endl;
}

constexpr Scenario k_scenarios[] = {
    {"packaged_task", packaged_task},
    {"deferred", deferred},
    {"shared_future", shared_future},
    {"broken_promise", broken_promise},
    {"polled_future", polled_future},
    {"value_at_thread_exit", value_at_thread_exit},
    {"notify_at_thread_exit", notify_at_thread_exit},
    {"barrier_completion", barrier_completion},
    {"latch_try_wait", latch_try_wait},
    {"semaphore_timed", semaphore_timed},
    {"stop_callback", stop_callback},
    {"wait_1", wait_1},
    {"wait_2", wait_2},
    {"wait_4", wait_4},
    {"wait_8", wait_8},
    {"wait_flag", wait_flag},
    {"atomic_shared_pointer", atomic_shared_pointer},
    {"atomic_reference", atomic_reference},
    {"recursive_timed", recursive_timed},
    {"shared_timed", shared_timed},
    {"condition_any_shared", condition_any_shared},
    {"thread_locals", thread_locals},
    {"recursive_static", recursive_static},
    {"synchronized_output", synchronized_output},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
