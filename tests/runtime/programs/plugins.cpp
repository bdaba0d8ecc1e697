// Loads a library (the second argument) under control, and calls it in two threads.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

const char* g_path = nullptr;

using Step = void (*)(int);

Step load() {
  void* const library = dlopen(g_path, RTLD_NOW);
  return library == nullptr ? nullptr : reinterpret_cast<Step>(dlsym(library, "plugin_step"));
}

void call_in_two_threads(Step step) {
  std::thread one(step, 0), two(step, 1);
  one.join();
  two.join();
}

void main_loads() {
  std::thread([] {}).join(); // from here on, the test is under control
  call_in_two_threads(load());
}

void thread_loads() {
  std::thread([] { call_in_two_threads(load()); }).join();
}

// Loads it where the second thread comes first, so not in the first schedule.
void one_order_loads() {
  static std::atomic<int> next{0};
  static int last = 0;
  std::thread one([] { last = next++ == 0 ? 2 : 1; });
  std::thread two([] { next++; });
  one.join();
  two.join();
  if (last == 1) call_in_two_threads(load());
}

// Each thread has variables of its own, where others have ended before it, too.
void threads_count() {
  std::thread([] {}).join();
  const auto count = reinterpret_cast<int (*)()>(dlsym(dlopen(g_path, RTLD_NOW), "plugin_count"));
  std::string counts;
  for (int i = 0; i < 4; ++i) std::thread([&] { counts += std::to_string(count()) + ' '; }).join();
  int a = 0, b = 0;
  std::thread one([&] { a = count(); }), two([&] { b = count(); });
  one.join();
  two.join();
  std::printf("%s%d %d\n", counts.c_str(), a, b);
}

// A thread gets the stack of one that is gone, and with it that one's variables of the library, from a thread
// that knows nothing of that one's end.
void storage_is_used_again() {
  std::thread([] {}).join();
  const auto count = reinterpret_cast<int (*)()>(dlsym(dlopen(g_path, RTLD_NOW), "plugin_count"));
  std::atomic<int> begun = 0;
  std::thread one([&] {
    ++begun;
    count();
  });
  std::thread two([&] {
    ++begun;
    std::thread([] {}).join();
  });
  one.join();
  two.join();
}

// The lock of the loader does not order what comes after it.
void races_behind_the_call() {
  static int counted = 0;
  const auto work = [] {
    dlopen(g_path, RTLD_NOW);
    ++counted;
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

// Unloads it again, and forks: the library's handler of forks is not called any more.
void unloads_before_a_fork() {
  std::thread([] {
    void* const library = dlopen(g_path, RTLD_NOW);
    reinterpret_cast<void (*)()>(dlsym(library, "plugin_handles_forks"))();
    dlclose(library);
  }).join();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
}

constexpr Scenario k_scenarios[] = {{"main_loads", main_loads},
                                    {"thread_loads", thread_loads},
                                    {"one_order_loads", one_order_loads},
                                    {"threads_count", threads_count},
                                    {"storage_is_used_again", storage_is_used_again},
                                    {"races_behind_the_call", races_behind_the_call},
                                    {"unloads_before_a_fork", unloads_before_a_fork}};

} // namespace

int main(int count, char** arguments) {
  if (count < 3) return 99;
  g_path = arguments[2];
  return run_scenario(k_scenarios, count, arguments);
}
