#include "reex/hooks/assembler/values.h"

#include <charconv>
#include <system_error>

namespace reex {

Value value_of_text(std::string_view text) {
  Value value;
  std::size_t end = text.size();
  const std::size_t sign = text.find_last_of("+-");
  const std::size_t digits = sign == std::string_view::npos ? 0 : sign;
  const char* const first = text.data() + digits + (digits < end && text[digits] == '+');
  const auto [last, error] = std::from_chars(first, text.data() + text.size(), value.offset);
  if (error == std::errc{} && last == text.data() + text.size() && first != last)
    end = digits;
  else
    value.offset = 0;
  value.name = text.substr(0, end);
  return value;
}

Value Values::fresh() { return {.name = "#" + std::to_string(++m_names), .offset = 0}; }

Value Values::in(std::string_view name) {
  if (name == "%rsp") return {.name = "%rsp", .offset = has_frame ? 0 : -depth};
  if (name == "%rbp" && has_frame) return {.name = "%rbp", .offset = 0};
  const auto [found, is_new] = m_values.try_emplace(std::string(name));
  if (is_new) found->second = fresh();
  return found->second;
}

Value Values::address_of(const MemoryOperand& memory) {
  Value address = value_of_text(memory.displacement);
  if (!memory.base.empty() && memory.base != "%rip") {
    const Value base = in(memory.base);
    address = {.name = base.name + address.name, .offset = base.offset + address.offset};
  }
  if (!memory.index.empty()) {
    const Value index = in(memory.index);
    address.name += '+' + index.name + std::to_string(index.offset) + '*' + std::string(memory.scale);
  }
  return address;
}

Value Values::loaded(const Value& address) {
  const auto [found, is_new] = m_slots.try_emplace(address);
  if (is_new) found->second = fresh();
  return found->second;
}

} // namespace reex
