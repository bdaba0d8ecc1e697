#pragma once

#include "bubblesort/Array.h"

namespace bubblesort {

// Sorts an array by as many passes as it has elements.
class BubbleSort {
public:
  explicit BubbleSort(Array& arr) : arr(arr) {}

  // Starts a thread for each pass, and waits for all of them.
  void Sort();

private:
  Array& arr;
};

} // namespace bubblesort
