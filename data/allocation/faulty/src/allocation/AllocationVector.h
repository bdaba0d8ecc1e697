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

  // The first free block; noBlock if there is none.
  int getFreeBlockIndex();

  // Throws std::logic_error if the block is allocated already.
  void markAsAllocatedBlock(int block);

  // Throws std::logic_error if the block is free already.
  void markAsFreeBlock(int block);

private:
  std::mutex monitor;
  std::string vector;
};

} // namespace allocation
