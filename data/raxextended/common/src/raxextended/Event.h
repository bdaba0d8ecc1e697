#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace raxextended {

// Something that happens again and again. Who has missed it can tell by the count.
class Event {
public:
  static constexpr int wrapCount = 3;

  int getCount() const { return count; }

  // The lock under which the event happens.
  std::unique_lock<std::mutex> lock() { return std::unique_lock<std::mutex>(monitor); }

  // Waits for the next time. With a lock: gives it up meanwhile.
  void waitForEvent();
  void waitForEvent(std::unique_lock<std::mutex>& lock);

  void signalEvent();

private:
  std::mutex monitor;
  std::condition_variable signalled;
  std::atomic<int> count{0}; // modulo wrapCount
};

} // namespace raxextended
