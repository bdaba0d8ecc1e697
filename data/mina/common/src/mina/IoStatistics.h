#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>

namespace mina {

// What was read and written, by a session or by a service, and how fast. Times are milliseconds since the start.
class IoStatistics {
public:
  void increaseWrittenBytes(long increment, long now) {
    writtenBytes.count.fetch_add(increment);
    lastWriteTime.store(now);
  }

  void increaseWrittenMessages(long now) {
    writtenMessages.count.fetch_add(1);
    lastWriteTime.store(now);
  }

  void updateThroughput(long now) {
    std::lock_guard<std::mutex> lock(throughputCalculationLock);
    const long interval = std::max(1L, now - lastThroughputCalculationTime.load());
    readBytes.updateThroughput(interval);
    writtenBytes.updateThroughput(interval);
    readMessages.updateThroughput(interval);
    writtenMessages.updateThroughput(interval);
    lastThroughputCalculationTime.store(now);
  }

  long getWrittenBytes() const { return writtenBytes.count.load(); }
  long getWrittenMessages() const { return writtenMessages.count.load(); }
  double getWrittenBytesThroughput() const { return writtenBytes.throughput.load(); }
  long getLastWriteTime() const { return lastWriteTime.load(); }

private:
  struct Counter {
    std::atomic<long> count{0};
    std::atomic<long> lastCount{0};
    std::atomic<double> throughput{0}; // per second

    void updateThroughput(long interval) {
      const long current = count.load();
      throughput.store(static_cast<double>(current - lastCount.load()) * 1000 / static_cast<double>(interval));
      lastCount.store(current);
    }
  };

  Counter readBytes;
  Counter writtenBytes;
  Counter readMessages;
  Counter writtenMessages;
  std::atomic<long> lastWriteTime{0};
  std::atomic<long> lastThroughputCalculationTime{0};
  std::mutex throughputCalculationLock;
};

} // namespace mina
