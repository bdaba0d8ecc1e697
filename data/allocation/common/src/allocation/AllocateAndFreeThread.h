#pragma once

#include <thread>
#include <vector>

#include "allocation/AllocationVector.h"

namespace allocation {

// A thread that allocates as many blocks as its result buffer has room for, or frees those that are in the buffer, or
// both. If one of these fails, the buffer's first element says which.
class AllocateAndFreeThread {
public:
  enum class Mode { allocate, free, allocateAndFree };

  static constexpr int allocationFailed = -2;
  static constexpr int freeFailed = -3;

  AllocateAndFreeThread(AllocationVector& vector, std::vector<int>& resultBuf, Mode mode)
      : vector(vector), resultBuf(resultBuf), mode(mode) {}

  void start() { thread = std::thread(&AllocateAndFreeThread::run, this); }
  void join() { thread.join(); }

private:
  void run();
  void allocateBlocks();
  void freeBlocks();

  AllocationVector& vector;
  std::vector<int>& resultBuf; // the indexes of the blocks
  const Mode mode;
  std::thread thread;
};

} // namespace allocation
