#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "synchronizers.h"

using namespace std::chrono_literals;

TEST(Latch, WaitsForBoth) {
  Latch latch(2);
  std::thread waiter([&] {
    latch.wait();
    EXPECT_EQ(latch.count(), 0);
  });
  std::this_thread::sleep_for(20ms);
  latch.count_down();
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(latch.count(), 1);
  latch.count_down();
  waiter.join();
}

TEST(Latch, IsOpen) {
  Latch latch(1);
  std::thread opener([&] {
    latch.count_down();
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(latch.count(), 0);
  latch.wait();
  opener.join();
}

TEST(Barrier, LastOneOpens) {
  Barrier barrier(2);
  std::thread other([&] {
    EXPECT_EQ(barrier.arrive_and_wait(), 1);
  });
  std::this_thread::sleep_for(25ms);
  EXPECT_EQ(barrier.waiting(), 1);
  EXPECT_EQ(barrier.arrive_and_wait(), 0);
  other.join();
}

TEST(Barrier, ThreeParties) {
  Barrier barrier(3);
  std::thread first([&] {
    EXPECT_EQ(barrier.arrive_and_wait(), 2);
  });
  std::thread second([&] {
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(barrier.arrive_and_wait(), 1);
  });
  std::this_thread::sleep_for(60ms);
  EXPECT_EQ(barrier.arrive_and_wait(), 0);
  first.join();
  second.join();
}

TEST(Semaphore, AcquireWaits) {
  Semaphore semaphore(0);
  std::thread acquirer([&] {
    semaphore.acquire();
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(semaphore.waiting(), 1);
  semaphore.release();
  acquirer.join();
  EXPECT_EQ(semaphore.permits(), 0);
}

TEST(Semaphore, ReleaseComesBefore) {
  Semaphore semaphore(0);
  std::thread releaser([&] {
    semaphore.release();
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(semaphore.permits(), 1);
  semaphore.acquire();
  releaser.join();
}

TEST(Semaphore, RolesOfOneFunction) { // the other one may wait before the sleep begins
  Barrier both(2);
  Semaphore semaphore(0);
  const auto role = [&](int id) {
    switch (id) {
    case 0:
      both.arrive_and_wait();
      semaphore.acquire();
      break;
    case 1:
      both.arrive_and_wait();
      std::this_thread::sleep_for(20ms);
      EXPECT_EQ(semaphore.waiting(), 1);
      semaphore.release();
      break;
    }
  };
  std::thread first(role, 0);
  std::thread second(role, 1);
  first.join();
  second.join();
}

TEST(ReadWriteLock, WriterWaitsForReader) {
  ReadWriteLock lock;
  bool written = false;
  lock.lock_read();
  std::thread writer([&] {
    lock.lock_write();
    written = true;
    lock.unlock_write();
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(written);
  lock.unlock_read();
  writer.join();
  EXPECT_TRUE(written);
}

TEST(ReadWriteLock, ReadersShare) {
  ReadWriteLock lock;
  std::thread reader([&] {
    lock.lock_read();
    std::this_thread::sleep_for(80ms);
    lock.unlock_read();
  });
  std::this_thread::sleep_for(20ms);
  lock.lock_read();
  EXPECT_EQ(lock.readers(), 2);
  lock.unlock_read();
  reader.join();
}
