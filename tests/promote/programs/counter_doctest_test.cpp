#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <thread>

#include <doctest/doctest.h>

#include "counter.h"

TEST_CASE("counts both") {
  Counter counter;
  std::thread one([&] { counter.add(); });
  std::thread two([&] { counter.add(); });
  one.join();
  two.join();
  CHECK(counter.value() == 2);
}
