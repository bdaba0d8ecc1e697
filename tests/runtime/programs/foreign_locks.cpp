// An instrumented program whose threads wait for each other with the locks of a library that is not.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#include "scenario.h"

using Word = std::atomic<std::uint32_t>;

struct Thread {
  void (*run)(void*);
  void* argument;
  Word ended;
};

extern "C" void g_mutex_lock(Word* mutex); // all of them of foreign_library.cpp
extern "C" int g_mutex_trylock(Word* mutex);
extern "C" void g_mutex_unlock(Word* mutex);
extern "C" void g_cond_wait(Word* condition, Word* mutex);
extern "C" void g_cond_signal(Word* condition);
extern "C" void foreign_start(Thread* thread);
extern "C" bool foreign_wait(Thread* thread, unsigned long milliseconds) asm("_ZN7QThread4waitEm");

namespace {

Word g_mutex, g_changed;
int g_count = 0;
bool g_ready = false;

void in_two_threads(void (*body)()) {
  std::thread one(body), two(body);
  one.join();
  two.join();
}

void locked() {
  in_two_threads([] {
    g_mutex_lock(&g_mutex);
    ++g_count;
    g_mutex_unlock(&g_mutex);
  });
  assert(g_count == 2);
}

// Between the two sections another thread comes in.
void locked_twice() {
  in_two_threads([] {
    g_mutex_lock(&g_mutex);
    const int before = g_count;
    g_mutex_unlock(&g_mutex);
    g_mutex_lock(&g_mutex);
    g_count = before + 1;
    g_mutex_unlock(&g_mutex);
  });
  assert(g_count == 2);
}

// Nothing else happens while a thread has the lock.
void tried() {
  in_two_threads([] {
    const int got = g_mutex_trylock(&g_mutex);
    assert(got != 0);
    ++g_count;
    g_mutex_unlock(&g_mutex);
  });
}

void notified() {
  std::thread other([] {
    g_mutex_lock(&g_mutex);
    g_count = 1;
    g_ready = true;
    g_cond_signal(&g_changed);
    g_mutex_unlock(&g_mutex);
  });
  g_mutex_lock(&g_mutex);
  while (!g_ready) g_cond_wait(&g_changed, &g_mutex);
  g_mutex_unlock(&g_mutex);
  assert(++g_count == 2);
  other.join();
}

void joined() {
  Thread thread{[](void* count) { ++*static_cast<int*>(count); }, &g_count, 0};
  foreign_start(&thread);
  foreign_wait(&thread, 1000);
  assert(++g_count == 2);
}

constexpr Scenario k_scenarios[] = {{"locked", locked},
                                    {"locked_twice", locked_twice},
                                    {"tried", tried},
                                    {"notified", notified},
                                    {"joined", joined}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
