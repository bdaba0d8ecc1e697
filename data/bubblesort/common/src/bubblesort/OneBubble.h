#pragma once

#include <thread>

#include "bubblesort/Array.h"

namespace bubblesort {

// A thread that makes one pass: it moves the largest element to the end.
class OneBubble {
public:
  explicit OneBubble(Array& arr) : arr(arr) {}

  void start() { thread = std::thread(&OneBubble::run, this); }
  void join() { thread.join(); }

private:
  void run();
  void SwapConsecutive(std::size_t pos);

  Array& arr;
  std::thread thread;
};

} // namespace bubblesort
