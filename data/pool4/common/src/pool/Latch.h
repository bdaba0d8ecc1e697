#pragma once

#include <condition_variable>
#include <mutex>

#include "pool/ObjectTimestampPair.h"

namespace pool {

// The place of a borrower in the queue of a pool. The pool gives it an object, or leave to make one.
class Latch {
public:
  using Lock = std::unique_lock<std::mutex>;

  // The lock of all that follows.
  Lock lock() { return Lock(monitor); }

  ObjectTimestampPair getPair(const Lock&) const { return pair; }
  bool mayCreate(const Lock&) const { return create; }

  // For the pool: serves the borrower.
  void setPair(const Lock&, const ObjectTimestampPair& given) {
    pair = given;
    changed.notify_all();
  }
  void setMayCreate(const Lock&) {
    create = true;
    changed.notify_all();
  }

  // The borrower begins once more.
  void reset(const Lock&) {
    pair = {};
    create = false;
  }

  // Waits to be served, and gives up the lock meanwhile.
  void wait(Lock& lock) { changed.wait(lock); }

  // Returns false if the deadline has passed.
  bool waitUntil(Lock& lock, ObjectTimestampPair::Clock::time_point deadline) {
    return changed.wait_until(lock, deadline) == std::cv_status::no_timeout;
  }

private:
  std::mutex monitor;
  std::condition_variable changed;
  ObjectTimestampPair pair;
  bool create = false;
};

} // namespace pool
