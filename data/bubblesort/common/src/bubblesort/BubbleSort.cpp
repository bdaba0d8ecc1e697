#include "bubblesort/BubbleSort.h"

#include <memory>

#include "bubblesort/OneBubble.h"

namespace bubblesort {

void BubbleSort::Sort() {
  std::vector<std::unique_ptr<OneBubble>> bubbles;
  for (std::size_t pass = 0; pass < arr.elements.size(); ++pass) {
    bubbles.push_back(std::make_unique<OneBubble>(arr));
    bubbles.back()->start();
  }
  for (const auto& bubble : bubbles) {
    bubble->join();
  }
}

} // namespace bubblesort
