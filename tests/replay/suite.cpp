// A GoogleTest test that fails, and one that passes.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

TEST(Update, IsNotLost) {
  std::atomic<int> value{0};
  const auto work = [&] { value.store(value.load() + 1); };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  EXPECT_EQ(value.load(), 2);
}

TEST(Update, IsAtomic) {
  std::atomic<int> value{0};
  std::thread one([&] { ++value; });
  ++value;
  one.join();
  EXPECT_EQ(value.load(), 2);
}
