#include <atomic>
#include <thread>

#include <gtest/gtest.h>

namespace {
int g_shared = 0;
int read_shared() { return g_shared; }
} // namespace

TEST(Flags, LostUpdate) {
  std::atomic<int> value{0};
  const auto add = [&] {
    const int seen = value.load();
    value.store(seen + 1);
  };
  std::thread one(add);
  std::thread two(add);
  one.join();
  two.join();
  EXPECT_EQ(value.load(), 2);
}

TEST(Flags, PlainLostUpdate) {
  g_shared = 0;
  std::thread one([] {
    const int seen = read_shared();
    g_shared = seen + 1;
  });
  std::thread two([] {
    int seen = read_shared();
    g_shared = seen + 1;
  });
  one.join();
  two.join();
  EXPECT_EQ(g_shared, 2);
}

TEST(Flags, OneStatement) {
  std::atomic<int> value{0};
  std::thread one([&] { value = value + 1; });
  std::thread two([&] { value = value + 1; });
  one.join();
  two.join();
  EXPECT_EQ(value.load(), 2);
}
