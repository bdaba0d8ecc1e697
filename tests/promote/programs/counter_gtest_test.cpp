#include <thread>

#include <gtest/gtest.h>

#include "counter.h"

TEST(Counter, CountsBoth) {
  Counter counter;
  std::thread one([&] { counter.add(); });
  std::thread two([&] { counter.add(); });
  one.join();
  two.join();
  EXPECT_EQ(counter.value(), 2);
}
