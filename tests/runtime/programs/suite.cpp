// A GoogleTest binary. reex explores each test separately.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace {

int count_up(bool locked) {
  std::mutex mutex;
  std::atomic<int> value{0};
  const auto work = [&] {
    std::unique_lock lock(mutex, std::defer_lock);
    if (locked) lock.lock();
    value.store(value.load() + 1);
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return value.load();
}

TEST(Counter, Locked) { EXPECT_EQ(count_up(true), 2); }

TEST(Counter, Unlocked) { EXPECT_EQ(count_up(false), 2) << "an update was lost"; }

TEST(Counter, FailsInAThread) {
  std::atomic<bool> raised{false};
  std::thread thread([&] { EXPECT_FALSE(raised.load()); });
  raised = true;
  thread.join();
}

TEST(Counter, FailsInTwoChecks) {
  std::atomic<int> first{0};
  const auto come = [&](int id) {
    int nobody = 0;
    first.compare_exchange_strong(nobody, id);
  };
  std::thread one(come, 1);
  std::thread two(come, 2);
  one.join();
  two.join();
  EXPECT_NE(first, 1);
  EXPECT_NE(first, 2);
}

class Fixture : public testing::Test {
protected:
  void SetUp() override {
    m_thread = std::thread([this] { ++m_value; });
  }
  void TearDown() override { m_thread.join(); }
  std::atomic<int> m_value{0};
  std::thread m_thread;
};
TEST_F(Fixture, StartsInSetUp) { EXPECT_LE(m_value.load(), 1); }

class Ways : public testing::TestWithParam<bool> {};
TEST_P(Ways, Count) { EXPECT_EQ(count_up(GetParam()), 2); }
INSTANTIATE_TEST_SUITE_P(Both, Ways, testing::Bool(),
                         [](const auto& way) { return way.param ? "Locked" : "Unlocked"; });

template <class Int>
class Typed : public testing::Test {};
using Ints = testing::Types<int, long>;
TYPED_TEST_SUITE(Typed, Ints);
TYPED_TEST(Typed, Adds) {
  std::atomic<TypeParam> value{0};
  std::thread thread([&] { ++value; });
  ++value;
  thread.join();
  EXPECT_EQ(value, 2);
}

TEST(Counter, DISABLED_Off) { FAIL(); }

} // namespace
