#include <chrono>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "bounded_queue.h"

using namespace std::chrono_literals;

TEST(Queue, TakeWithAdd) {
  BoundedQueue q(1);
  std::thread adder([&] {
    EXPECT_TRUE(q.add(1));
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(q.add(2));
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(q.take(), 1);
  EXPECT_EQ(q.take(), 2);
  adder.join();
}

TEST(Queue, TakeWaitsForAdd) {
  BoundedQueue q(1);
  std::thread taker([&] { EXPECT_EQ(q.take(), 7); });
  std::this_thread::sleep_for(30ms); // the taker waits
  EXPECT_TRUE(q.add(7));
  taker.join();
}

TEST(Queue, PutWaitsForRoom) {
  BoundedQueue q(1);
  ASSERT_TRUE(q.put(1));
  std::thread putter([&] {
    EXPECT_TRUE(q.put(2));
  });
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(q.size(), 1u);
  EXPECT_EQ(q.take(), 1);
  putter.join();
  EXPECT_EQ(q.take(), 2);
}

TEST(Queue, CloseWakesTaker) {
  BoundedQueue q(1);
  std::optional<int> taken = 1;
  std::thread taker([&] {
    taken = q.take();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  q.close();
  taker.join();
  EXPECT_EQ(taken, std::nullopt);
}

TEST(Queue, PollFindsWhatWasAdded) {
  BoundedQueue q(2);
  std::thread adder([&] {
    q.add(1);
    q.add(2);
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(q.poll(), 1);
  EXPECT_EQ(q.poll(), 2);
  EXPECT_EQ(q.poll(), std::nullopt);
  adder.join();
}

TEST(Queue, TwoTakersWait) {
  BoundedQueue q(2);
  const auto take = [&q] {
    EXPECT_NE(q.take(), std::nullopt);
  };
  std::thread first(take);
  std::thread second(take);
  std::this_thread::sleep_for(50ms);
  q.add(1);
  q.add(2);
  first.join();
  second.join();
}

TEST(Queue, FirstComesFirst) {
  BoundedQueue q(2);
  std::thread first([&] {
    EXPECT_TRUE(q.add(1));
  });
  std::this_thread::sleep_for(20ms);
  std::thread second([&] {
    EXPECT_TRUE(q.add(2));
  });
  first.join();
  second.join();
  EXPECT_EQ(q.take(), 1);
  EXPECT_EQ(q.take(), 2);
}
