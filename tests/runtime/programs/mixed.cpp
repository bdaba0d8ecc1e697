// An instrumented program with a library of the user that is not instrumented.
#include <atomic>
#include <thread>

#include "scenario.h"

extern "C" int library_count(int* value); // of library.cpp

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

constexpr Scenario k_scenarios[] = {{"counts", counts}};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
