#pragma once

#include <condition_variable>
#include <mutex>

namespace readerswriters {

// Readers and writers, in the version of Doug Lea: readers wait for waiting writers. A subclass reads and writes.
class RWVSN {
public:
  virtual ~RWVSN() = default;

  void read();
  void write();

protected:
  virtual void doRead() = 0;
  virtual void doWrite() = 0;

  bool allowReader() const { return waitingWriters == 0 && activeWriters == 0; }
  bool allowWriter() const { return activeReaders == 0 && activeWriters == 0; }

private:
  void beforeRead();
  void afterRead();
  void beforeWrite();
  void afterWrite();

  std::mutex monitor;
  std::condition_variable changed;
  int activeReaders = 0;
  int activeWriters = 0;
  int waitingReaders = 0;
  int waitingWriters = 0;
};

} // namespace readerswriters
