// Two tests of GoogleTest. The second fails in some schedules.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace {

int count_of_two(void (*add)(std::atomic<int>&)) {
  std::atomic<int> counter{0};
  std::thread one(add, std::ref(counter)), two(add, std::ref(counter));
  one.join();
  two.join();
  return counter.load();
}

TEST(Count, InOneStep) {
  EXPECT_EQ(count_of_two([](std::atomic<int>& counter) { ++counter; }), 2);
}

TEST(Count, InTwoSteps) {
  EXPECT_EQ(count_of_two([](std::atomic<int>& counter) { counter.store(counter.load() + 1); }), 2);
}

} // namespace
