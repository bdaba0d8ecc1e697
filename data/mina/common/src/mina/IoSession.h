#pragma once

#include <atomic>

#include "mina/ConcurrentLinkedQueue.h"
#include "mina/IoStatistics.h"

namespace mina {

// Accepts sessions, and counts what all of them write.
class IoService {
public:
  IoStatistics& getStatistics() { return statistics; }

private:
  IoStatistics statistics;
};

// A connection. Owns the queue of encoded messages that wait to be written.
class IoSession {
public:
  explicit IoSession(IoService& service) : service(service) {}

  ConcurrentLinkedQueue& getMessageQueue() { return messageQueue; }
  IoStatistics& getStatistics() { return statistics; }

  void increaseWrittenBytes(long increment, long now) {
    statistics.increaseWrittenBytes(increment, now);
    service.getStatistics().increaseWrittenBytes(increment, now);
    idleCountForWrite.store(0);
    idleCountForBoth.store(0);
  }

  void increaseWrittenMessages(long now) {
    statistics.increaseWrittenMessages(now);
    service.getStatistics().increaseWrittenMessages(now);
  }

  void updateThroughput(long now) {
    statistics.updateThroughput(now);
    service.getStatistics().updateThroughput(now);
  }

private:
  IoService& service;
  ConcurrentLinkedQueue messageQueue;
  IoStatistics statistics;
  std::atomic<int> idleCountForWrite{0};
  std::atomic<int> idleCountForBoth{0};
};

} // namespace mina
