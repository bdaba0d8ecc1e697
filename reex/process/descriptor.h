// Owns an open file.
#pragma once

#include <unistd.h>
#include <utility>

namespace reex {

class Descriptor {
public:
  explicit Descriptor(int number = -1) : m_number(number) {}
  Descriptor(Descriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
  }
  ~Descriptor() { reset(); }

  int operator*() const { return m_number; }
  explicit operator bool() const { return m_number >= 0; }
  void reset() {
    if (m_number >= 0) close(m_number);
    m_number = -1;
  }

private:
  int m_number;
};

} // namespace reex
