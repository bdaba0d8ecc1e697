// Three passes by three threads sort three elements.
#undef NDEBUG
#include <algorithm>
#include <cassert>

#include "bubblesort/BubbleSort.h"

using namespace bubblesort;

int main() {
  Array arr{{2, 1, 3}, {}};
  BubbleSort(arr).Sort();
  assert(std::is_sorted(arr.elements.begin(), arr.elements.end()));
}
