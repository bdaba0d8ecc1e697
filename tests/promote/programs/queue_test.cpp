#include <thread>

#include <gtest/gtest.h>

#include "queue.h"

TEST(Queue, OneTaker) {
  Queue queue;
  std::thread adder([&] { queue.add(1); });
  EXPECT_EQ(queue.take(), 1);
  adder.join();
}

TEST(Queue, TwoTakers) {
  Queue queue;
  std::thread first([&] { queue.take(); });
  std::thread second([&] { queue.take(); });
  queue.add(1);
  queue.add(2);
  first.join();
  second.join();
}
