// The test of mutex_pair.cpp as a GoogleTest test.
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

TEST(Mutex, TwoThreads) {
  constexpr int k_pairs = 3;
  std::mutex mutex;
  int total = 0;
  const auto work = [&] {
    for (int i = 0; i < k_pairs; ++i) {
      const std::lock_guard lock(mutex);
      ++total;
    }
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  EXPECT_EQ(total, 2 * k_pairs);
}
