#pragma once

#include <chrono>

namespace pool {

// What borrowObject() does when there is no object left to borrow.
enum class WhenExhausted {
  fail,  // throws NoSuchElementException
  block, // waits
  grow   // makes an object all the same
};

// The settings of a pool. In a keyed pool, the numbers are those of each key.
struct Config {
  int maxActive = 8; // negative: no limit
  int maxIdle = 8;   // negative: no limit
  int minIdle = 0;
  WhenExhausted whenExhaustedAction = WhenExhausted::block;
  std::chrono::milliseconds maxWait{-1}; // negative: no limit
  bool testOnBorrow = false;
  bool testOnReturn = false;
  bool lifo = true;
  std::chrono::milliseconds minEvictableIdleTime{30 * 60 * 1000};
};

} // namespace pool
