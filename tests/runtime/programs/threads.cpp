// The life of threads and of the process: creation, ends, exit handlers, output, time.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

#include "scenario.h"

namespace {

using namespace std::chrono_literals;

std::mutex g_mutex;
std::string g_log;

void note(char id) {
  std::lock_guard lock(g_mutex);
  g_log += id;
}
void print_log() { std::printf("%s\n", g_log.c_str()); }

template <class First, class Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

void join() {
  both([] { note('1'); }, [] { note('2'); });
  print_log();
}

void join_result() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void* argument) -> void* { return static_cast<char*>(argument) + 1; }, &g_log);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("%td\n", static_cast<char*>(result) - reinterpret_cast<char*>(&g_log));
}

void thread_exit() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        struct Guard {
          ~Guard() { note('g'); }
        } guard;
        pthread_exit(&g_log);
      },
      nullptr);
  void* result = nullptr;
  pthread_join(thread, &result);
  g_log += result == &g_log ? 'r' : '-';
  print_log();
}

void detach() {
  std::atomic<bool>& done = *new std::atomic<bool>(false);
  std::thread([&] {
    note('1');
    done = true;
  }).detach();
  while (!done) std::this_thread::yield();
  print_log();
}

// The detached thread may or may not print before the process ends.
void detached_at_exit() {
  std::thread([] { std::fputs("detached ", stdout); }).detach();
  std::printf("main ");
}

void nested() {
  std::thread outer([] {
    std::thread inner([] { note('i'); });
    note('o');
    inner.join();
  });
  note('m');
  outer.join();
  print_log();
}

struct AtEnd {
  char id = 0;
  ~AtEnd() { note(id); }
};
thread_local AtEnd t_at_end;

void thread_local_destructors() {
  both([] { t_at_end.id = '1'; }, [] { t_at_end.id = '2'; });
  print_log();
  t_at_end.id = 'm'; // nothing prints it
}

void key_destructors() {
  static pthread_key_t key;
  pthread_key_create(&key, [](void* value) { note(*static_cast<const char*>(value)); });
  both([] { pthread_setspecific(key, "1"); }, [] { pthread_setspecific(key, "2"); });
  print_log();
}

void exit_in_thread() {
  std::atexit([] { std::fputs("handler", stdout); });
  std::thread thread([] { std::exit(0); });
  thread.join();
  std::printf("unreachable\n");
}

void quick_exit_in_thread() {
  std::printf("in the buffer");
  std::thread thread([] {
    [[maybe_unused]] const auto written = write(1, "written", 7);
    _exit(0);
  });
  thread.join();
}

void exit_status() {
  std::thread thread([] {});
  thread.join();
  std::exit(3);
}

// Each execution must print this once.
struct Announced {
  ~Announced() { std::fputs(text, stdout); }
  const char* text = "";
};
Announced g_announced;

void exit_handlers() {
  std::printf("before ");
  g_announced.text = "static ";
  std::atexit([] { std::fputs("handler ", stdout); });
  both([] { std::atexit([] { std::fputs("late ", stdout); }); }, [] { note('2'); });
  static Announced local{"local "};
}

// All threads end on their own. The last one runs the exit handlers, as a thread that is alive.
void last_thread_exits() {
  static std::mutex mutex;
  std::atexit([] {
    {
      const std::lock_guard lock(mutex);
      std::printf("handler ");
    }
    std::signal(SIGUSR1, [](int) { std::printf("locks\n"); });
    std::raise(SIGUSR1);
  });
  std::thread([] { const std::lock_guard lock(mutex); }).join();
  pthread_exit(nullptr);
}

void two_printers() {
  both([] { std::printf("p"); }, [] { std::cout << 'c' << std::flush; });
}

void two_writers() {
  const auto say = [](const char* text) {
    for (; *text != 0; ++text) {
      [[maybe_unused]] const auto written = write(1, text, 1);
    }
  };
  both([&] { say("ab"); }, [&] { say("cd"); });
}

void exceptions() {
  const auto work = [](char id) {
    for (int i = 0; i < 2; ++i) try {
        std::lock_guard lock(g_mutex);
        throw std::runtime_error(std::string(1, id));
      } catch (const std::runtime_error& error) {
        note(error.what()[0]);
      }
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%zu\n", g_log.size());
}

// While one thread handles an exception, another thread throws. Each thread keeps its own exception.
void exceptions_crossing() {
  const auto work = [](char id) {
    try {
      throw id;
    } catch (char) {
      note('-');
      try {
        throw;
      } catch (char again) {
        note(again == id ? '+' : '!');
      }
    }
  };
  both([&] { work('1'); }, [&] { work('2'); });
  std::printf("%s\n", g_log.find('!') == std::string::npos ? "own" : "mixed");
}

void crowd(int count) {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&] { ++sum; });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", sum.load());
}
void twelve() { crowd(12); }
void sixty() { crowd(60); }

// One thread after the other: the slots of threads that have ended are used again.
void many_in_sequence() {
  int sum = 0;
  for (int i = 0; i < 100; ++i) std::thread([&] { ++sum; }).join();
  std::printf("%d\n", sum);
}

__attribute__((noinline)) int descend(volatile char* above, int depth) {
  volatile char frame[256];
  frame[0] = above == nullptr ? 0 : above[0];
  return depth == 0 ? frame[0] : descend(frame, depth - 1) + frame[0];
}

void deep() {
  std::thread thread([] { g_log = std::to_string(descend(nullptr, 20000)); }); // about 6 of 8 MB
  thread.join();
  print_log();
}

void stack_overflow() {
  std::thread thread([] { g_log = std::to_string(descend(nullptr, 1 << 30)); });
  thread.join();
}

void small_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  pthread_create(
      &thread, &attributes,
      [](void*) -> void* {
        note('1');
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  print_log();
}

void large_stack() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{64} << 20);
  pthread_t thread;
  pthread_create(
      &thread, &attributes,
      [](void*) -> void* {
        g_log = std::to_string(descend(nullptr, 100000));
        return nullptr;
      },
      nullptr);
  pthread_join(thread, nullptr);
  print_log();
}

void sleeps_in_order() {
  both(
      [] {
        std::this_thread::sleep_for(20ms);
        note('2');
      },
      [] {
        std::this_thread::sleep_for(10ms);
        note('1');
      });
  print_log();
}

void clocks() {
  std::thread thread([] {
    const auto steady = std::chrono::steady_clock::now();
    const auto system = std::chrono::system_clock::now();
    std::this_thread::sleep_for(50ms);
    const bool right = std::chrono::steady_clock::now() - steady >= 50ms &&
                       std::chrono::system_clock::now() - system >= 50ms;
    while (std::chrono::steady_clock::now() < steady + 200ms) {
    } // reading a clock makes its time pass
    g_log = right ? "on" : "still";
  });
  thread.join();
  print_log();
}

void timed_order() { // a sleep of an hour costs nothing
  std::thread sleeper([] { std::this_thread::sleep_for(1h), note('s'); });
  note('m');
  sleeper.join();
  print_log();
}

void yields() {
  both(
      [] {
        note('1');
        std::this_thread::yield();
        note('2');
      },
      [] { note('x'); });
  print_log();
}

// A thread pool that a static initializer starts.
class Pool {
public:
  void start() {
    for (int i = 0; i < 2; ++i) m_threads.emplace_back([this] { work(); });
  }
  void post(char id) {
    {
      std::lock_guard lock(m_mutex);
      m_work += id;
    }
    m_changed.notify_one();
  }
  void finish() {
    {
      std::lock_guard lock(m_mutex);
      m_closed = true;
    }
    m_changed.notify_all();
    for (std::thread& thread : m_threads) thread.join();
  }

private:
  void work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_changed.wait(lock, [this] { return m_closed || !m_work.empty(); });
      if (m_work.empty()) return;
      const char id = m_work.front();
      m_work.erase(0, 1);
      lock.unlock();
      note(id);
      lock.lock();
    }
  }
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::string m_work;
  bool m_closed = false;
  std::vector<std::thread> m_threads;
};
Pool* g_pool = nullptr;

struct Starter {
  Starter() {
    if (std::getenv("START_POOL") == nullptr) return;
    g_pool = new Pool;
    g_pool->start();
  }
} g_starter;

void pool_of_initializer() {
  g_pool->post('1');
  g_pool->post('2');
  g_pool->finish();
  print_log();
}

constexpr Scenario k_scenarios[] = {
    {"join", join},
    {"join_result", join_result},
    {"thread_exit", thread_exit},
    {"detach", detach},
    {"detached_at_exit", detached_at_exit},
    {"nested", nested},
    {"thread_local_destructors", thread_local_destructors},
    {"key_destructors", key_destructors},
    {"exit_in_thread", exit_in_thread},
    {"quick_exit_in_thread", quick_exit_in_thread},
    {"exit_status", exit_status},
    {"exit_handlers", exit_handlers},
    {"last_thread_exits", last_thread_exits},
    {"two_printers", two_printers},
    {"two_writers", two_writers},
    {"exceptions", exceptions},
    {"exceptions_crossing", exceptions_crossing},
    {"twelve", twelve},
    {"sixty", sixty},
    {"many_in_sequence", many_in_sequence},
    {"deep", deep},
    {"stack_overflow", stack_overflow},
    {"small_stack", small_stack},
    {"large_stack", large_stack},
    {"sleeps_in_order", sleeps_in_order},
    {"clocks", clocks},
    {"timed_order", timed_order},
    {"yields", yields},
    {"pool_of_initializer", pool_of_initializer},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
