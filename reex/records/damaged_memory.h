// The exception for shared memory that cannot be what reex has written there.
#pragma once

#include <stdexcept>
#include <string>

namespace reex {

// Thrown by every reader of this folder. Whoever catches it ends the processes of the test.
struct DamagedMemory : std::runtime_error {
  DamagedMemory(const std::string& record, const std::string& what)
      : std::runtime_error("the test has overwritten reex's memory: " + record + ": " + what) {}
};

} // namespace reex
