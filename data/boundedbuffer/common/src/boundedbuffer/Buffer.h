#pragma once

namespace boundedbuffer {

// Takes items of producers and hands them to consumers, in the same order.
class Buffer {
public:
  virtual ~Buffer() = default;
  virtual void put(int item) = 0;
  virtual int get() = 0;
};

} // namespace boundedbuffer
