#pragma once

#include <stdexcept>

namespace pool {

// There is no object to borrow.
class NoSuchElementException : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

// The pool was closed.
class IllegalStateException : public std::logic_error {
public:
  using std::logic_error::logic_error;
};

} // namespace pool
