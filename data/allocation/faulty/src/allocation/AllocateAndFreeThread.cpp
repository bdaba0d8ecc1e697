#include "allocation/AllocateAndFreeThread.h"

namespace allocation {

void AllocateAndFreeThread::run() {
  if (mode != Mode::free) allocateBlocks();
  if (mode != Mode::allocate) freeBlocks();
}

void AllocateAndFreeThread::allocateBlocks() {
  try {
    for (int& block : resultBuf) {
      block = vector.getFreeBlockIndex();
      if (block != AllocationVector::noBlock) vector.markAsAllocatedBlock(block);
    }
  } catch (const std::logic_error&) {
    resultBuf[0] = allocationFailed;
  }
}

void AllocateAndFreeThread::freeBlocks() {
  if (resultBuf[0] == allocationFailed) return;
  try {
    for (int block : resultBuf) {
      if (block != AllocationVector::noBlock) vector.markAsFreeBlock(block);
    }
  } catch (const std::logic_error&) {
    resultBuf[0] = freeFailed;
  }
}

} // namespace allocation
