// A program with several small tests. The first argument selects one.
#pragma once

#include <cstdio>
#include <cstring>
#include <span>

struct Scenario {
  const char* name;
  void (*run)();
};

inline int run_scenario(std::span<const Scenario> scenarios, int count, char** arguments) {
  for (const Scenario& scenario : scenarios) {
    if (count < 2 || std::strcmp(arguments[1], scenario.name) != 0) continue;
    scenario.run();
    return 0;
  }
  std::fprintf(stderr, "no such scenario\n");
  return 99;
}
