#include "reex/hooks/assembler/result_place.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "reex/hooks/assembler/instruction.h"

namespace reex {
namespace {

using Registers = std::uint16_t; // a set: bit i is k_registers[i]
constexpr std::array<std::string_view, 16> k_registers{"%rdi", "%rax", "%rcx", "%rdx", "%rsi", "%r8",
                                                       "%r9",  "%r10", "%r11", "%rbx", "%rbp", "%r12",
                                                       "%r13", "%r14", "%r15", "%rsp"};
constexpr Registers k_none = 0, k_rdi = 1, k_all = 0xffff;
constexpr Registers k_lost_by_call = 0x1ff;

Registers set_of(std::string_view operand) { // the register that it is a part of
  const auto found = std::find(k_registers.begin(), k_registers.end(), whole_register(operand));
  return found == k_registers.end() ? k_none : static_cast<Registers>(1u << (found - k_registers.begin()));
}
Registers set_of(std::initializer_list<std::string_view> names) {
  Registers set = k_none;
  for (const std::string_view name : names) set |= set_of(name);
  return set;
}

Registers written_by(const Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  const auto& operands = instruction.operands;
  const auto is = [mnemonic](std::string_view start) { return mnemonic.starts_with(start); };
  if (is("call")) return k_lost_by_call;
  if (is("rep")) return set_of({"%rcx", "%rsi", "%rdi"});
  if (is("push") || is("test") || is("nop") || (is("cmp") && !is("cmpx"))) return k_none;
  Registers written = operands.empty() ? k_none : set_of(operands.back());
  if (operands.size() < 2) written |= set_of({"%rax", "%rdx"}); // cltq, mulq and the like
  if (is("xch") || is("xad") || is("cmpx") || is("lock")) {
    written |= set_of("%rax");
    for (const std::string_view operand : operands) written |= set_of(operand);
  }
  return written;
}

// What registers hold at each label, by going over the function until that changes no more.
class Flow {
public:
  explicit Flow(std::span<const std::string_view> function) : m_lines(function) {
    for (const std::string_view line : m_lines) m_instructions.push_back(parse_instruction(line));
    bool jumps_by_table = false;
    for (const Instruction& one : m_instructions) jumps_by_table |= is_indirect(one);
    for (std::size_t i = 0; i < m_lines.size(); ++i) note_labels(i, jumps_by_table);
    do {
      m_changes = false;
      go_over();
    } while (m_changes);
  }

  ResultPlace place() const {
    ResultPlace place;
    for (const Instruction& one : m_instructions) place.calls = place.calls || one.mnemonic == "call";
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
      if (!is_label(line)) continue;
      const Registers held = m_at.at(name_of(m_lines[line]));
      for (std::size_t i = 0; i < k_registers.size(); ++i)
        if ((held >> i & 1u) != 0) place.registers[line].push_back(k_registers[i]);
    }
    return place;
  }

private:
  static std::string_view name_of(std::string_view label) { return label.substr(0, label.find(':')); }
  static bool is_indirect(const Instruction& one) {
    return one.mnemonic == "notrack" ||
           (one.mnemonic == "jmp" && one.operands.size() == 1 && one.operands[0].starts_with('*'));
  }
  bool is_label(std::size_t line) const {
    return m_instructions[line].mnemonic.empty() && may_be_target(m_lines[line]);
  }

  // What a jump of this function leads to holds all, until one says less. The function's own label holds the
  // first argument; others, as where an exception is caught, are reached from anywhere.
  void note_labels(std::size_t line, bool jumps_by_table) {
    const Instruction& one = m_instructions[line];
    if (one.mnemonic.starts_with('j') && one.operands.size() == 1 && one.operands[0].starts_with(".L"))
      m_at[one.operands[0]] = k_all;
    if (!one.mnemonic.empty()) return;
    std::string_view text = m_lines[line];
    if (is_label(line)) {
      const bool begins = !std::exchange(m_has_begun, true);
      m_at.try_emplace(name_of(text), begins ? k_rdi : k_none);
    }
    for (const std::string_view table : {"\t.long\t.L", "\t.quad\t.L"}) {
      if (!text.starts_with(table) || !jumps_by_table) continue;
      text.remove_prefix(table.size() - 2);
      m_in_tables.push_back(text.substr(0, text.find_first_of("-\n")));
      m_at[m_in_tables.back()] = k_all;
    }
  }

  void meet(std::string_view label, Registers held) {
    const auto found = m_at.find(label);
    if (found == m_at.end() || (found->second & held) == found->second) return;
    found->second &= held;
    m_changes = true;
  }

  void go_over() {
    Registers held = k_none;
    bool is_the_users = false;
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
      const std::string_view text = m_lines[line];
      if (text.starts_with("#APP") || text.starts_with("#NO_APP")) is_the_users = text.starts_with("#APP");
      if (is_label(line)) {
        if (text.starts_with(".L")) meet(name_of(text), held);
        held = m_at.at(name_of(text));
      }
      if (is_the_users || text.find(';') != std::string_view::npos) held = k_none;
      if (!m_instructions[line].mnemonic.empty()) held = after(m_instructions[line], held);
    }
  }

  Registers after(const Instruction& instruction, Registers held) {
    const auto& operands = instruction.operands;
    if (is_indirect(instruction))
      for (const std::string_view label : m_in_tables) meet(label, held);
    if (is_indirect(instruction) || instruction.mnemonic == "ret" || instruction.mnemonic == "ud2")
      return k_all;
    if (instruction.mnemonic.starts_with('j')) {
      if (operands.size() == 1 && operands[0].starts_with(".L")) meet(operands[0], held);
      return instruction.mnemonic == "jmp" ? k_all : held; // nothing comes from there to the next line
    }
    const auto left = static_cast<Registers>(held & ~written_by(instruction));
    const bool is_copy =
        instruction.mnemonic == "movq" && operands.size() == 2 && (held & set_of(operands[0])) != 0;
    return is_copy ? left | set_of(operands[1]) : left;
  }

  std::span<const std::string_view> m_lines;
  std::vector<Instruction> m_instructions;
  std::map<std::string_view, Registers> m_at; // by label
  std::vector<std::string_view> m_in_tables;
  bool m_has_begun = false, m_changes = false;
};

} // namespace

bool may_be_target(std::string_view line) {
  const std::size_t end = line.find(':');
  if (end == std::string_view::npos || line.starts_with('\t') || line.starts_with('#')) return false;
  return !line.starts_with(".L") || line.find_first_not_of("0123456789", 2) == end;
}

ResultPlace result_place_of(std::span<const std::string_view> function) { return Flow(function).place(); }

} // namespace reex
