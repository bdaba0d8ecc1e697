#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "executors.h"
#include "synchronizers.h"

using namespace std::chrono_literals;

TEST(Pool, TaskIsDone) {
  std::atomic<int> sum = 0;
  Pool pool(1);
  pool.submit([&] {
    sum += 5;
  });
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(sum, 5);
}

TEST(Pool, TaskWaitsForGate) {
  Latch gate(1);
  std::atomic<bool> passed = false;
  Pool pool(1);
  pool.submit([&] {
    gate.wait();
    passed = true;
  });
  std::this_thread::sleep_for(30ms);
  EXPECT_FALSE(passed);
  gate.count_down();
}

TEST(Pool, SecondTaskQueues) {
  Latch gate(1);
  std::atomic<int> ran = 0;
  Pool pool(1);
  pool.submit([&] {
    gate.wait();
    ++ran;
  });
  pool.submit([&] { ++ran; });
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(ran, 0);
  gate.count_down();
}

TEST(Promise, GetWaitsForSet) {
  Promise promise;
  std::thread getter([&] {
    EXPECT_EQ(promise.get(), 3);
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(promise.is_set());
  promise.set(3);
  getter.join();
}

TEST(Promise, SetComesFirst) {
  Promise promise;
  std::thread setter([&] {
    promise.set(4);
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(promise.is_set());
  EXPECT_EQ(promise.get(), 4);
  setter.join();
}

TEST(Async, ResultWaits) {
  std::promise<int> source;
  std::future<int> sum = std::async(std::launch::async, [&] {
    return source.get_future().get() + 1;
  });
  std::this_thread::sleep_for(20ms);
  source.set_value(1);
  EXPECT_EQ(sum.get(), 2);
}

TEST(Async, PollsUntilDone) { // the sleep polls: no schedule
  std::atomic<bool> done = false;
  std::thread worker([&] {
    done = true;
  });
  while (!done) std::this_thread::sleep_for(1ms);
  worker.join();
}

TEST(Timer, FiresAfterTheOther) { // the sleeps are what is tested, and order the threads
  std::atomic<int> order = 0;
  int late = 0;
  std::thread timer([&] {
    std::this_thread::sleep_for(40ms);
    late = ++order;
  });
  EXPECT_EQ(++order, 1);
  timer.join();
  EXPECT_EQ(late, 2);
}
