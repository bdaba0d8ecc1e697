#include "allocation/AllocationVector.h"

namespace allocation {

int AllocationVector::getFreeBlockIndexAndMarkAsAllocated() {
  std::lock_guard<std::mutex> lock(monitor);
  for (std::size_t block = 0; block < vector.size(); ++block) {
    if (vector[block] == 'F') {
      vector[block] = 'A';
      return static_cast<int>(block);
    }
  }
  return noBlock;
}

void AllocationVector::markAsFreeBlock(int block) {
  std::lock_guard<std::mutex> lock(monitor);
  char& state = vector.at(static_cast<std::size_t>(block));
  if (state != 'A') throw std::logic_error("the block is free already");
  state = 'F';
}

} // namespace allocation
