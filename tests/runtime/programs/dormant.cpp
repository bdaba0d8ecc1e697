// An instrumented program with a library that is not instrumented, and that its threads enter or not.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

extern "C" int library_ticket(); // of library.cpp
extern "C" void library_open();
extern "C" void library_wait(); // polls until it is open

int g_value; // nobody reads it

namespace {

std::atomic<int> g_flag;

void store() { g_value = 1; }

// Both threads write the value, and nobody is in the library.
void stays_outside() {
  std::thread one(store), two(store);
  one.join();
  two.join();
}

// Main is there when there is no other thread: before them, between them, behind them, and as the process
// ends.
void goes_in_alone() {
  std::atexit([] { library_ticket(); });
  library_ticket();
  std::thread(store).join();
  library_ticket();
  std::thread one(store), two(store);
  one.join();
  two.join();
  library_ticket();
}

// So is a child process.
void goes_in_as_a_child() {
  std::thread one(store), two(store);
  const pid_t child = fork();
  if (child == 0) _exit(library_ticket() > 0 ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  one.join();
  two.join();
  if (status != 0) std::abort();
}

// Only the library knows that the second thread writes behind the first one.
void is_ordered_there() {
  std::thread one([] {
    store();
    library_open();
  });
  std::thread two([] {
    library_wait();
    store();
  });
  one.join();
  two.join();
}

// The same in some schedules. In the others, no thread is in the library, and the second one writes nothing.
void is_ordered_there_sometimes() {
  std::thread one([] {
    store();
    g_flag.store(1, std::memory_order_relaxed);
    library_open();
  });
  std::thread two([] {
    if (g_flag.load(std::memory_order_relaxed) == 0) return;
    library_wait();
    store();
  });
  one.join();
  two.join();
}

// The library is entered where the threads have met their race: nobody can have ordered it there.
void goes_in_behind() {
  std::mutex mutex;
  const auto body = [&] {
    store();
    const std::lock_guard lock(mutex);
    library_ticket();
  };
  std::thread one(body), two(body);
  one.join();
  two.join();
}

// Who comes first is known to the library alone. Fails if that is the second thread: in default order, the
// first execution does not, and shows that the library is entered.
void fails_in_a_later_round() {
  int first = 0, second = 0;
  std::mutex own, others;
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
  if (first > second) std::abort();
}

// Threads that have nothing to do with each other.
void locks_of_their_own() {
  std::mutex mutexes[3];
  const auto body = [&](int i) {
    for (int k = 0; k < 3; ++k) const std::lock_guard lock(mutexes[i]);
  };
  std::thread one(body, 0), two(body, 1), three(body, 2);
  one.join();
  two.join();
  three.join();
}

// Nobody ends the wait. Whether the library could, reex cannot know once a thread was there.
void waits_for_nobody() {
  while (g_flag == 0) std::this_thread::yield();
}
void waits_outside() { std::thread(waits_for_nobody).join(); }
void waits_inside() {
  std::thread([] {
    library_ticket();
    waits_for_nobody();
  }).join();
}

constexpr Scenario k_scenarios[] = {{"stays_outside", stays_outside},
                                    {"goes_in_alone", goes_in_alone},
                                    {"goes_in_as_a_child", goes_in_as_a_child},
                                    {"is_ordered_there", is_ordered_there},
                                    {"is_ordered_there_sometimes", is_ordered_there_sometimes},
                                    {"goes_in_behind", goes_in_behind},
                                    {"fails_in_a_later_round", fails_in_a_later_round},
                                    {"locks_of_their_own", locks_of_their_own},
                                    {"waits_outside", waits_outside},
                                    {"waits_inside", waits_inside}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
