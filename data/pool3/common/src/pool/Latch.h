#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "pool/ObjectTimestampPair.h"

namespace pool {

// The place of a borrower in the queue of a keyed pool. The pool gives it an object of its key, or leave to make one.
class Latch {
public:
  explicit Latch(std::string key) : key(std::move(key)) {}

  const std::string& getKey() const { return key; }

  ObjectTimestampPair getPair() {
    std::lock_guard<std::mutex> lock(monitor);
    return pair;
  }
  bool isServed() {
    std::lock_guard<std::mutex> lock(monitor);
    return served();
  }

  void setPair(const ObjectTimestampPair& given) {
    std::lock_guard<std::mutex> lock(monitor);
    pair = given;
    changed.notify_all();
  }
  void setMayCreate() {
    std::lock_guard<std::mutex> lock(monitor);
    mayCreate = true;
    changed.notify_all();
  }

  // The borrower begins once more.
  void reset() {
    std::lock_guard<std::mutex> lock(monitor);
    pair = {};
    mayCreate = false;
  }

  // Waits until the pool has served the latch, at most until the deadline. Returns whether it has.
  bool wait() {
    std::unique_lock<std::mutex> lock(monitor);
    while (!served()) {
      changed.wait(lock);
    }
    return true;
  }
  bool waitUntil(ObjectTimestampPair::Clock::time_point deadline) {
    std::unique_lock<std::mutex> lock(monitor);
    while (!served()) {
      if (changed.wait_until(lock, deadline) == std::cv_status::timeout) return served();
    }
    return true;
  }

private:
  bool served() const { return pair.value != nullptr || mayCreate; }

  const std::string key;
  std::mutex monitor;
  std::condition_variable changed;
  ObjectTimestampPair pair;
  bool mayCreate = false;
};

} // namespace pool
