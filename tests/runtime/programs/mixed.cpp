// An instrumented program with a library of the user that is not instrumented.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include "scenario.h"

extern "C" int library_count(int* value); // of library.cpp
extern "C" int library_ticket();          // the same
extern "C" void library_open();
extern "C" void library_wait(); // polls until it is open

namespace {

// Beside main: from then on, threads may talk there.
void enter_library() {
  std::thread([] { library_ticket(); }).join();
}

void counts() {
  int value = 0;
  std::atomic<int> seen{0};
  std::thread one([&] { library_count(&value), ++seen; });
  std::thread two([&] { library_count(&value), ++seen; });
  one.join();
  two.join();
  std::printf("%d %d\n", value, seen.load());
}

// Who comes first is known to the library alone.
void tickets() {
  std::mutex own, others;
  int first = 0, second = 0;
  std::thread one([&] {
    const std::lock_guard lock(own);
    first = library_ticket();
  });
  std::thread two([&] {
    const std::lock_guard lock(others);
    second = library_ticket();
  });
  one.join();
  two.join();
  std::printf("%d %d\n", first, second);
}

// The library's file is gone when the threads start. Only a copy is removed, that the loader was told of.
void vanishes() {
  Dl_info library{};
  const char* copies = std::getenv("LD_LIBRARY_PATH");
  dladdr(reinterpret_cast<void*>(&library_ticket), &library);
  if (copies == nullptr || std::string(library.dli_fname).find(copies) != 0) std::abort();
  unlink(library.dli_fname);
  tickets();
}

// The library ends the wait.
void spins_for_tickets() {
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop.load() && library_ticket() < 300) {
    }
  });
  worker.join();
}

// The worker polls in the library, and main ends its wait there. Main counts in its own loop, so that is no
// spin.
void waits_in_the_library(void (*between)()) {
  std::atomic<int> begun{0};
  std::atomic<bool> done{false};
  std::thread worker([&] {
    library_wait();
    done = true;
  });
  ++begun;
  library_open();
  static int turns = 0;
  for (; !done; ++turns) between();
  worker.join();
}

void waits_beside_naps() {
  waits_in_the_library([] { usleep(100); });
}
void waits_beside_work() {
  waits_in_the_library([] {});
}

// Who waits for five seconds waits for the worker, which needs no time.
void waits_beside_a_long_wait() {
  std::atomic<int> begun{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::thread worker([&] {
    library_wait();
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });
  ++begun;
  library_open();
  {
    std::unique_lock lock(mutex);
    if (!changed.wait_for(lock, std::chrono::seconds(5), [&] { return done; })) std::abort();
  }
  worker.join();
}

// Main looks for the others by a lock around a counter. The library may have written the counter,
// for all that reex knows. The others wait for at most a minute each time: natively for some microseconds.
void wait_for_those_who_come(void (*between)()) {
  constexpr int k_threads = 12;
  constexpr int k_rounds = 30;
  std::mutex mutex;
  std::condition_variable begun;
  int arrived = 0;
  int round = 0;
  enter_library();
  const auto body = [&] {
    std::unique_lock lock(mutex);
    for (int i = 1; i <= k_rounds; ++i) {
      ++arrived;
      if (!begun.wait_for(lock, std::chrono::minutes(1), [&] { return round == i; })) std::abort();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < k_threads; ++i) threads.emplace_back(body);
  const auto all_have_arrived = [&] {
    const std::lock_guard lock(mutex);
    return arrived == k_threads * (round + 1);
  };
  while (round < k_rounds) {
    while (!all_have_arrived()) between();
    const std::lock_guard lock(mutex);
    ++round;
    begun.notify_all();
  }
  for (std::thread& thread : threads) thread.join();
}

void yields_to_those_who_come() { wait_for_those_who_come(std::this_thread::yield); }
void looks_for_those_who_come() {
  wait_for_those_who_come([] {});
}

std::mutex g_first, g_second;

// Two threads that may wait for each other, while main polls or does something else.
void start_circle(std::atomic<int>& done) {
  const auto lock_both = [&done](std::mutex& one, std::mutex& other) {
    const std::lock_guard outer(one);
    const std::lock_guard inner(other);
    ++done;
  };
  std::thread(lock_both, std::ref(g_first), std::ref(g_second)).detach();
  std::thread(lock_both, std::ref(g_second), std::ref(g_first)).detach();
}

void polls_for_a_circle() {
  static std::atomic<int> done;
  static int turns;
  done = 0;
  enter_library();
  start_circle(done);
  for (; done != 2; ++turns) usleep(1000);
}

// The process ends, whatever the circle does.
void leaves_a_circle() {
  static std::atomic<int> done, work;
  done = 0;
  enter_library();
  start_circle(done);
  for (work = 0; work < 100; ++work) {
  }
}

// Main breaks the circle: a thread in it is not there for ever.
void ends_a_circle() {
  static std::atomic<bool> taken;
  taken = false;
  pthread_mutex_t* const first = g_first.native_handle();
  enter_library();
  std::thread owner([] {
    g_first.lock();
    taken = true;
    const timespec until{time(nullptr) + 1, 0};
    while (pthread_mutex_timedlock(g_second.native_handle(), &until) != 0) g_first.unlock(), g_first.lock();
    g_second.unlock(), g_first.unlock();
  });
  g_second.lock();
  pthread_mutex_lock(first);
  pthread_mutex_unlock(first);
  g_second.unlock();
  owner.join();
}

constexpr Scenario k_scenarios[] = {{"counts", counts},
                                    {"polls_for_a_circle", polls_for_a_circle},
                                    {"leaves_a_circle", leaves_a_circle},
                                    {"ends_a_circle", ends_a_circle},
                                    {"tickets", tickets},
                                    {"spins_for_tickets", spins_for_tickets},
                                    {"vanishes", vanishes},
                                    {"looks_for_those_who_come", looks_for_those_who_come},
                                    {"yields_to_those_who_come", yields_to_those_who_come},
                                    {"waits_beside_naps", waits_beside_naps},
                                    {"waits_beside_work", waits_beside_work},
                                    {"waits_beside_a_long_wait", waits_beside_a_long_wait}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
