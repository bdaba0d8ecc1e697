#include "readerswriters/RWVSN.h"

namespace readerswriters {

void RWVSN::read() {
  beforeRead();
  doRead();
  afterRead();
}

void RWVSN::write() {
  beforeWrite();
  doWrite();
  afterWrite();
}

void RWVSN::beforeRead() {
  {
    std::unique_lock<std::mutex> lock(monitor);
    ++waitingReaders;
    while (!allowReader()) {
      changed.wait(lock);
    }
    --waitingReaders;
  }
  ++activeReaders;
}

void RWVSN::afterRead() {
  std::lock_guard<std::mutex> lock(monitor);
  --activeReaders;
  changed.notify_all();
}

void RWVSN::beforeWrite() {
  std::unique_lock<std::mutex> lock(monitor);
  ++waitingWriters;
  while (!allowWriter()) {
    changed.wait(lock);
  }
  --waitingWriters;
  ++activeWriters;
}

void RWVSN::afterWrite() {
  std::lock_guard<std::mutex> lock(monitor);
  --activeWriters;
  changed.notify_all();
}

} // namespace readerswriters
