// What registers and words on the stack hold, as far as the lines of a function's assembly tell (announce.h):
// two operands with equal values are one place.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "reex/hooks/assembler/instruction.h"

namespace reex {

// Something that has a name, and a distance from it.
struct Value {
  std::string name;
  std::int64_t offset = 0;
  auto operator<=>(const Value&) const = default;

  bool is_on_stack() const { return name.starts_with("%rsp") || name.starts_with("%rbp"); }
  bool is_framed() const { return name.starts_with("%rbp"); }
  bool is_unknown() const { return name.starts_with('#'); }
};

// "symbol+8" or "8".
Value value_of_text(std::string_view text);

class Values {
public:
  Value fresh(); // unlike any other
  Value in(std::string_view name);
  Value address_of(const MemoryOperand& memory);

  void set(std::string_view name, const Value& value) { m_values.insert_or_assign(std::string(name), value); }
  void erase(std::string_view name) { m_values.erase(std::string(name)); }
  void forget() { // a label, or code that is not understood: anything may be everywhere
    m_values.clear();
    m_slots.clear();
  }

  // Words on the stack.
  Value loaded(const Value& address); // what is there
  void set_slot(const Value& address, const Value& value) { m_slots.insert_or_assign(address, value); }
  void erase_slot(const Value& address) { m_slots.erase(address); }
  void forget_slots() { m_slots.clear(); }

  // Where the stack pointer is, from where it was when the function was called. With a frame pointer it does
  // not matter.
  std::int64_t depth = 8;
  bool has_frame = false;

private:
  std::uint64_t m_names = 0;
  std::map<std::string, Value> m_values; // by register
  std::map<Value, Value> m_slots;        // by place on the stack
};

} // namespace reex
