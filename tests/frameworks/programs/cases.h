// What the cases of all frameworks do.
#pragma once

#include <atomic>
#include <stdexcept>
#include <thread>

// 2, or 1 if the threads do not count at once and one update is lost.
inline int count(bool at_once) {
  std::atomic<int> value{0};
  const auto add = [&] {
    if (at_once)
      ++value;
    else
      value = value + 1;
  };
  std::thread other(add);
  add();
  other.join();
  return value;
}

inline void throw_if_lost() {
  if (count(false) != 2) throw std::runtime_error("an update was lost");
}
