#include "reex/hooks/assembler/result_place.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "reex/hooks/assembler/instruction.h"

namespace reex {
namespace {

using Registers = std::uint16_t; // a set: bit i is k_registers[i]
constexpr std::array<std::string_view, 15> k_registers{"%rdi", "%rax", "%rcx", "%rdx", "%rsi",
                                                       "%r8",  "%r9",  "%r10", "%r11", "%rbx",
                                                       "%rbp", "%r12", "%r13", "%r14", "%r15"};
constexpr Registers k_rdi = 1, k_rax = 2, k_lost_by_call = 0x1ff;

Registers set_of(std::string_view operand) { // the register that it is a part of
  const auto found = std::find(k_registers.begin(), k_registers.end(), whole_register(operand));
  return found == k_registers.end() ? Registers{0}
                                    : static_cast<Registers>(1u << (found - k_registers.begin()));
}

bool is_jump(const Instruction& one) { return one.mnemonic.starts_with('j') && one.operands.size() == 1; }
bool is_indirect(const Instruction& one) {
  return one.mnemonic == "notrack" || (is_jump(one) && one.operands[0].starts_with('*'));
}
std::string_view name_of(std::string_view label) { return label.substr(0, label.find(':')); }

// What may hold the address.
struct Holders {
  Registers registers = 0;
  std::set<std::string_view> slots; // words on the stack, by their operands

  bool join(const Holders& more) { // whether that changes anything
    const Registers before = registers;
    const std::size_t count = slots.size();
    registers |= more.registers;
    slots.insert(more.slots.begin(), more.slots.end());
    return registers != before || slots.size() != count;
  }
};

// Goes over the function until what may be held at its labels changes no more.
class Flow {
public:
  // `derives`: addresses that are computed from it count, too.
  Flow(std::span<const std::string_view> function, bool derives) : m_derives(derives), m_lines(function) {
    for (const std::string_view line : m_lines) m_instructions.push_back(parse_instruction(line));
    for (const Instruction& one : m_instructions) {
      if (is_jump(one)) m_jumped_to.insert(one.operands[0]);
      m_calls = m_calls || one.mnemonic == "call";
    }
    do {
      m_changes = false;
      go_over();
    } while (m_changes);
  }

  bool calls() const { return m_calls; }
  bool is_returned() const { return m_returns && m_all_return_it; }
  const std::set<std::size_t>& writes() const { return m_writes; }

private:
  bool is_label(std::size_t line) const {
    return m_instructions[line].mnemonic.empty() && may_be_target(m_lines[line]);
  }

  void go_over() {
    m_holders = {};
    m_returns = false;
    m_all_return_it = true;
    bool has_begun = false, is_the_users = false;
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
      const std::string_view text = m_lines[line];
      if (text.starts_with("#APP") || text.starts_with("#NO_APP")) is_the_users = text.starts_with("#APP");
      if (is_label(line)) {
        come_to(name_of(text));
        if (!has_begun) m_holders.registers |= k_rdi;
        has_begun = true;
      }
      if (is_the_users || m_instructions[line].mnemonic.empty()) continue;
      note_rax(m_instructions[line]);
      take(line, m_instructions[line]);
    }
  }

  // Whatever no jump names is reached from a table, or where an exception is caught.
  void come_to(std::string_view label) {
    if (m_jumped_to.count(label) == 0) m_holders.join(m_elsewhere);
    m_changes |= m_at[label].join(m_holders);
    m_holders = m_at[label];
  }

  // Without optimization, a variable is loaded anew for each use, and once more to be returned. So what is in
  // rax and was used as an address is what the last statement has left there. Optimized code loads only what
  // it had to keep over a call.
  void note_rax(const Instruction& one) {
    MemoryOperand memory;
    for (const std::string_view operand : one.operands)
      if (parse_memory(operand, memory) && ((set_of(memory.base) | set_of(memory.index)) & k_rax) != 0)
        m_is_left_in_rax = m_is_loaded_to_rax;
    if (one.operands.empty() || whole_register(one.operands.back()) != "%rax") return;
    m_is_left_in_rax = false;
    m_is_loaded_to_rax =
        one.mnemonic == "movq" && parse_memory(one.operands[0], memory) && memory.base == "%rbp";
  }

  bool holds(std::string_view operand) const {
    return (m_holders.registers & set_of(operand)) != 0 || m_holders.slots.count(operand) != 0;
  }
  bool is_of(const MemoryOperand& memory) const { return holds(memory.base) || holds(memory.index); }

  void take(std::size_t line, const Instruction& one) {
    const auto& operands = one.operands;
    if (is_indirect(one)) {
      m_changes |= m_elsewhere.join(m_holders);
      m_holders = {};
    } else if (is_jump(one)) {
      if (operands[0].starts_with(".L")) m_changes |= m_at[operands[0]].join(m_holders);
      if (one.mnemonic == "jmp") m_holders = {}; // nothing comes from there to the next line
    } else if (one.mnemonic == "ret") {
      m_returns = true;
      m_all_return_it =
          m_all_return_it && (m_holders.registers & k_rax) != 0 && (m_calls || !m_is_left_in_rax);
      m_holders = {};
    } else if (one.mnemonic == "call") {
      m_holders.registers &= static_cast<Registers>(~k_lost_by_call);
      m_changes |= m_elsewhere.join(m_holders);
    } else if (!one.mnemonic.starts_with("push")) {
      change(line, one);
    }
  }

  void change(std::size_t line, const Instruction& one) {
    const auto& operands = one.operands;
    const bool fills = one.mnemonic == "rep" && !operands.empty() &&
                       (operands[0].starts_with("stos") || operands[0].starts_with("movs"));
    if (fills && holds("%rdi")) m_writes.insert(line);
    const bool goes_on = !operands.empty() && goes_on_in_last(one); // by what is held before
    for (const std::string_view name : implicitly_written(one))
      m_holders.registers &= static_cast<Registers>(~set_of(name));
    if (operands.empty()) return;
    MemoryOperand memory;
    if (!parse_memory(operands.back(), memory)) {
      const Registers last = set_of(operands.back());
      m_holders.registers =
          static_cast<Registers>(goes_on ? m_holders.registers | last : m_holders.registers & ~last);
    } else if (memory.base == "%rsp" || memory.base == "%rbp") {
      if (goes_on)
        m_holders.slots.insert(operands.back());
      else if (bytes_of_write(one) != 0)
        m_holders.slots.erase(operands.back());
    }
    if (parse_memory(operands.back(), memory) && bytes_of_write(one) != 0 && is_of(memory))
      m_writes.insert(line);
  }

  // Whether the last operand may hold it afterwards.
  bool goes_on_in_last(const Instruction& one) const {
    const auto& operands = one.operands;
    const std::string_view mnemonic = one.mnemonic;
    if (operands.size() == 1) return holds(operands[0]) && m_derives && keeps_near(mnemonic);
    if (operands.size() != 2) return false;
    if (mnemonic == "movq") return holds(operands[0]);
    if (mnemonic.starts_with("cmov")) return holds(operands[0]) || holds(operands[1]);
    if (mnemonic.starts_with("cmp") || mnemonic.starts_with("test")) return holds(operands[1]);
    if (!m_derives) return false;
    MemoryOperand memory;
    if (mnemonic == "leaq") return parse_memory(operands[0], memory) && is_of(memory);
    return (mnemonic == "addq" && holds(operands[0])) || (keeps_near(mnemonic) && holds(operands[1]));
  }
  static bool keeps_near(std::string_view mnemonic) {
    return mnemonic == "addq" || mnemonic == "subq" || mnemonic == "incq" || mnemonic == "decq" ||
           mnemonic == "andq";
  }

  bool m_derives;
  bool m_calls = false;
  std::span<const std::string_view> m_lines;
  std::vector<Instruction> m_instructions;
  std::set<std::string_view> m_jumped_to;
  std::map<std::string_view, Holders> m_at; // by label
  Holders m_elsewhere;                      // at calls, and at jumps by a table
  Holders m_holders;                        // at the line under way
  bool m_changes = false, m_returns = false, m_all_return_it = true;
  bool m_is_loaded_to_rax = false; // what rax holds, from the stack
  bool m_is_left_in_rax = false;   // the same, and it was an address of an access since
  std::set<std::size_t> m_writes;
};

} // namespace

bool may_be_target(std::string_view line) {
  const std::size_t end = line.find(':');
  if (end == std::string_view::npos || line.starts_with('\t') || line.starts_with('#')) return false;
  return !line.starts_with(".L") || line.find_first_not_of("0123456789", 2) == end;
}

ResultPlace result_place_of(std::span<const std::string_view> function) {
  const Flow exact(function, false);
  ResultPlace place{.writes = {}, .calls = exact.calls()};
  if (exact.is_returned()) place.writes = Flow(function, true).writes();
  return place;
}

} // namespace reex
