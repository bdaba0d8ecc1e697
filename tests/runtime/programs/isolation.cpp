// What one execution could leave to the next, and what differs between two runs of one program.
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include <asm/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "scenario.h"

namespace {

std::mutex g_mutex;
std::atomic<int> g_value;

template <class Inside>
void in_thread(Inside inside) {
  std::thread thread(inside);
  thread.join();
}

// Two threads in any order, and `inside` in both, under a lock.
template <class Inside>
std::string in_turn(Inside inside) {
  std::string order;
  const auto work = [&](char id) {
    std::lock_guard lock(g_mutex);
    inside(id);
    order += id;
  };
  std::thread one([&] { work('1'); });
  std::thread two([&] { work('2'); });
  one.join();
  two.join();
  return order;
}

void lock_or_load(bool lock) {
  if (lock)
    g_mutex.lock();
  else
    g_value.load();
  if (lock) g_mutex.unlock();
}

// Every other execution does something else.
void counts_executions() {
  in_thread([] {
    std::ofstream("executions.txt", std::ios::app) << '.';
    std::ifstream file("executions.txt", std::ios::ate);
    lock_or_load(file.tellg() % 2 != 0);
  });
}

void prints_cycles() {
  in_thread([] { g_value = 1; });
  std::printf("%llx\n", __rdtsc());
}

// A register that no snapshot of memory holds.
void sets_register() {
  const std::string order = in_turn([](char) {
    unsigned long before = 0;
    syscall(SYS_arch_prctl, ARCH_GET_GS, &before);
    lock_or_load(false);
    if (before != 0) lock_or_load(false);
  });
  syscall(SYS_arch_prctl, ARCH_SET_GS, 0x1000);
  std::printf("%s\n", order.c_str());
}

constexpr Scenario k_scenarios[] = {
    {"counts_executions", counts_executions},
    {"prints_cycles", prints_cycles},
    {"sets_register", sets_register},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
