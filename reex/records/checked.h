// What every reader of a record is made of: one read of each byte, and checks that throw DamagedMemory.
//
// Thread safety: the processes of the test may write while the parent reads. A value is therefore copied out
// once, and only the copy is checked and used.
//
// Cost: a copy and a comparison for each value.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "reex/records/damaged_memory.h"

namespace reex {

// No execution count of a run comes near it.
inline constexpr std::uint64_t k_most_executions = std::uint64_t{1} << 48;

// The compiler may not read shared memory a second time in place of a copy that was made before it.
inline void end_of_copy() { asm volatile("" ::: "memory"); }

template <typename T>
T fetch(const T& place) {
  static_assert(std::is_trivially_copyable_v<T>);
  T copy;
  std::memcpy(&copy, &place, sizeof copy);
  end_of_copy();
  return copy;
}

// `count` must have been checked.
template <typename T>
std::vector<T> fetch_all(const T* first, std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> copy(count);
  if (count != 0) std::memcpy(copy.data(), first, count * sizeof(T));
  end_of_copy();
  return copy;
}

// The checks of one record. They return what they have checked.
class Checked {
public:
  constexpr explicit Checked(const char* record) : m_record(record) {}

  [[noreturn]] void damaged(const std::string& what) const { throw DamagedMemory(m_record, what); }

  template <typename T>
  T at_most(T value, std::uint64_t limit, const char* what) const {
    static_assert(std::is_unsigned_v<T>);
    if (value > limit) out_of_range(what, value, limit);
    return value;
  }
  template <typename Enum>
  Enum enumerator(Enum value, Enum last, const char* what) const {
    at_most(static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(last), what);
    return value;
  }
  bool flag(const bool& place, const char* what) const {
    std::uint8_t byte = 0;
    std::memcpy(&byte, &place, 1);
    end_of_copy();
    return at_most(byte, 1, what) != 0;
  }
  // A text that ends within its room.
  template <std::size_t N>
  std::string text(const char (&place)[N], const char* what) const {
    return text(place, N, what);
  }
  // The same as one line: control characters become blanks.
  template <std::size_t N>
  std::string line(const char (&place)[N], const char* what) const {
    std::string text = this->text(place, N, what);
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
    return text;
  }

private:
  std::string text(const char* place, std::size_t room, const char* what) const;
  [[noreturn]] void out_of_range(const char* what, std::uint64_t value, std::uint64_t limit) const;

  const char* m_record;
};

} // namespace reex
