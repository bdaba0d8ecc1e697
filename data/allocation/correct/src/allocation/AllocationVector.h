#pragma once

#include <mutex>
#include <stdexcept>
#include <string>

namespace allocation {

// Blocks, each 'F' (free) or 'A' (allocated). Every method may be called by any thread.
class AllocationVector {
public:
  static constexpr int noBlock = -1;

  explicit AllocationVector(std::size_t size) : vector(size, 'F') {}

  // The first free block, which is allocated from now on; noBlock if there is none.
  int getFreeBlockIndexAndMarkAsAllocated();

  // Throws std::logic_error if the block is free already.
  void markAsFreeBlock(int block);

private:
  std::mutex monitor;
  std::string vector;
};

} // namespace allocation
