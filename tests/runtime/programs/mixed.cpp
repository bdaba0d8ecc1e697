// An instrumented program with a library of the user that is not instrumented.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

#include "scenario.h"

extern "C" int library_count(int* value); // of library.cpp
extern "C" int library_ticket();          // the same

namespace {

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

constexpr Scenario k_scenarios[] = {{"counts", counts},
                                    {"tickets", tickets},
                                    {"spins_for_tickets", spins_for_tickets},
                                    {"vanishes", vanishes}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
