#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "boundedbuffer/Buffer.h"

namespace boundedbuffer {

// A ring of items. put() waits while it is full, get() while it is empty.
class BufferImpl : public Buffer {
public:
  explicit BufferImpl(std::size_t size) : buf(size), size(size) {}

  void put(int item) override;
  int get() override;

private:
  std::mutex monitor;
  std::condition_variable changed;
  std::vector<int> buf;
  std::size_t in = 0;
  std::size_t out = 0;
  std::size_t count = 0;
  const std::size_t size;
};

} // namespace boundedbuffer
