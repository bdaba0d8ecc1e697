#include "bubblesort/OneBubble.h"

namespace bubblesort {

void OneBubble::run() {
  std::lock_guard<std::mutex> lock(arr.monitor);
  for (std::size_t pos = 0; pos + 1 < arr.elements.size(); ++pos) {
    if (arr.elements[pos] > arr.elements[pos + 1]) SwapConsecutive(pos);
  }
}

void OneBubble::SwapConsecutive(std::size_t pos) {
  const int tmp = arr.elements[pos];
  arr.elements[pos] = arr.elements[pos + 1];
  arr.elements[pos + 1] = tmp;
}

} // namespace bubblesort
