#pragma once

#include <mutex>
#include <vector>

namespace bubblesort {

// What is sorted, and the lock of those who sort it.
struct Array {
  std::vector<int> elements;
  std::mutex monitor;
};

} // namespace bubblesort
