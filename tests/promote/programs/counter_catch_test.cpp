#define CATCH_CONFIG_MAIN
#include <thread>

#include <catch2/catch.hpp>

#include "counter.h"

TEST_CASE("counts both") {
  Counter counter;
  std::thread one([&] { counter.add(); });
  std::thread two([&] { counter.add(); });
  one.join();
  two.join();
  CHECK(counter.value() == 2);
}
