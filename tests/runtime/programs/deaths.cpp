// A GoogleTest binary whose tests fork, skip, or start threads outside their bodies.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

namespace {

int count_up() {
  std::mutex mutex;
  int value = 0;
  const auto work = [&] {
    const std::lock_guard lock(mutex);
    ++value;
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return value;
}

TEST(Deaths, Fast) {
  GTEST_FLAG_SET(death_test_style, "fast");
  EXPECT_EQ(count_up(), 2);
  EXPECT_DEATH(std::abort(), "");
  EXPECT_EQ(count_up(), 2);
}

TEST(Deaths, FastSurvives) {
  GTEST_FLAG_SET(death_test_style, "fast");
  EXPECT_EQ(count_up(), 2);
  EXPECT_DEATH(std::getenv("PATH"), "");
}

TEST(Deaths, FastStartsThreads) {
  GTEST_FLAG_SET(death_test_style, "fast");
  EXPECT_EQ(count_up(), 2);
  EXPECT_EXIT(std::exit(count_up()), testing::ExitedWithCode(2), "");
}

TEST(Deaths, ThreadsafeStartsThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(count_up()), testing::ExitedWithCode(2), "");
  EXPECT_EQ(count_up(), 2);
}

TEST(Skips, AfterThreads) {
  if (count_up() == 2) GTEST_SKIP();
}

class FailsInSetUp : public testing::Test {
protected:
  void SetUp() override {
    std::atomic<bool> raised{false};
    std::thread thread([&] { raised = true; });
    const bool seen = raised.load();
    thread.join();
    ASSERT_FALSE(seen);
  }
};
TEST_F(FailsInSetUp, Test) {}

class ServedByASuite : public testing::Test {
public:
  static void SetUpTestSuite() {
    s_thread = std::thread([] {
      std::unique_lock lock(s_mutex);
      while (!s_stop) s_changed.wait(lock);
    });
  }
  static void TearDownTestSuite() {
    {
      const std::lock_guard lock(s_mutex);
      s_stop = true;
    }
    s_changed.notify_all();
    s_thread.join();
  }

private:
  static inline std::mutex s_mutex;
  static inline std::condition_variable s_changed;
  static inline bool s_stop = false;
  static inline std::thread s_thread;
};
TEST_F(ServedByASuite, Test) { EXPECT_EQ(count_up(), 2); }

class Numbered : public testing::TestWithParam<int> {};
TEST_P(Numbered, Differs) {
  std::atomic<int> value{0};
  std::thread thread([&] { value = 1; });
  const int seen = value.load();
  thread.join();
  EXPECT_NE(seen, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Few, Numbered, testing::Values(1, 5));

} // namespace

// A thread before the tests, as the main function of a user may create it.
int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  std::atomic<int> started{0};
  std::thread before([&] { ++started; });
  before.join();
  return RUN_ALL_TESTS();
}
