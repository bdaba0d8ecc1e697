#include "boundedbuffer/BufferImpl.h"

namespace boundedbuffer {

void BufferImpl::put(int item) {
  std::unique_lock<std::mutex> lock(monitor);
  while (count == size) {
    changed.wait(lock);
  }
  buf[in] = item;
  ++count;
  in = (in + 1) % size;
  changed.notify_one();
}

int BufferImpl::get() {
  std::unique_lock<std::mutex> lock(monitor);
  while (count == 0) {
    changed.wait(lock);
  }
  const int item = buf[out];
  --count;
  out = (out + 1) % size;
  changed.notify_one();
  return item;
}

} // namespace boundedbuffer
