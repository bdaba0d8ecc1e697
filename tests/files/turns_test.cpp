#include "reex/files/turns.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace reex {
namespace {

constexpr int k_group = 1;
constexpr std::chrono::milliseconds k_while{50};

TEST(Turns, ASecondWorkerWaitsForTheFirstExecution) {
  FileTurns first(k_group), second(k_group);
  first.await_start();
  std::atomic<bool> started = false;
  std::thread waiter([&] {
    second.await_start();
    started = true;
  });
  std::this_thread::sleep_for(k_while);
  EXPECT_FALSE(started);
  first.first_execution_is_over();
  waiter.join();
  EXPECT_TRUE(started);
}

TEST(Turns, ATestThatChangesFilesHasOneWorker) {
  FileTurns first(k_group), second(k_group);
  first.await_start();
  EXPECT_TRUE(first.begin_change());
  first.first_execution_is_over();
  first.end_changes();
  std::atomic<bool> started = false;
  std::thread waiter([&] {
    second.await_start();
    started = true;
  });
  std::this_thread::sleep_for(k_while);
  EXPECT_FALSE(started);
  first.leave();
  waiter.join();
  EXPECT_TRUE(started);
}

TEST(Turns, OtherGroupsDoNotWait) {
  FileTurns first(k_group), other(k_group + 1);
  first.await_start();
  other.await_start(); // at once
  EXPECT_TRUE(first.begin_change());
  first.end_changes();
  EXPECT_TRUE(other.begin_change());
}

TEST(Turns, OneProcessChangesAtATime) {
  FileTurns first(k_group), other(k_group + 1);
  EXPECT_TRUE(first.begin_change());
  std::atomic<bool> began = false;
  std::thread waiter([&] {
    EXPECT_TRUE(other.begin_change());
    began = true;
  });
  std::this_thread::sleep_for(k_while);
  EXPECT_FALSE(began);
  first.end_changes();
  waiter.join();
}

TEST(Turns, AChangeBesideARunningWorkerIsTold) {
  FileTurns first(k_group), second(k_group);
  first.await_start();
  first.first_execution_is_over();
  second.await_start();
  EXPECT_FALSE(first.begin_change());
}

TEST(Turns, AStoppedOneWaitsNoMore) {
  FileTurns first(k_group), second(k_group);
  first.await_start();
  std::thread waiter([&] { second.await_start(); });
  second.stop();
  waiter.join();
}

} // namespace
} // namespace reex
