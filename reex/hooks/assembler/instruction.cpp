#include "reex/hooks/assembler/instruction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace reex {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::string_view cut(std::string_view& text, char at) { // the part before `at`, or all
  const std::size_t end = text.find(at);
  const std::string_view part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return trimmed(part);
}

constexpr std::array<std::array<std::string_view, 5>, 8> k_old_registers{{
    {"%rax", "%eax", "%ax", "%al", "%ah"},
    {"%rbx", "%ebx", "%bx", "%bl", "%bh"},
    {"%rcx", "%ecx", "%cx", "%cl", "%ch"},
    {"%rdx", "%edx", "%dx", "%dl", "%dh"},
    {"%rsi", "%esi", "%si", "%sil", ""},
    {"%rdi", "%edi", "%di", "%dil", ""},
    {"%rbp", "%ebp", "%bp", "%bpl", ""},
    {"%rsp", "%esp", "%sp", "%spl", ""},
}};

struct Move {
  std::string_view mnemonic;
  unsigned bytes;
};
constexpr Move k_moves[] = {{"movb", 1},    {"movw", 2},    {"movl", 4},    {"movq", 8},    {"movzbl", 1},
                            {"movzwl", 2},  {"movsbl", 1},  {"movswl", 2},  {"movzbw", 1},  {"movsbw", 1},
                            {"movsbq", 1},  {"movswq", 2},  {"movzbq", 1},  {"movzwq", 2},  {"movslq", 4},
                            {"movss", 4},   {"movsd", 8},   {"movd", 4},    {"movlps", 8},  {"movhps", 8},
                            {"movlpd", 8},  {"movhpd", 8},  {"movups", 16}, {"movaps", 16}, {"movupd", 16},
                            {"movapd", 16}, {"movdqu", 16}, {"movdqa", 16}, {"pushq", 8}};

} // namespace

Instruction parse_instruction(std::string_view line) {
  if (const std::size_t comment = line.find('#'); comment != std::string_view::npos)
    line = line.substr(0, comment);
  std::string_view rest = trimmed(line);
  if (rest.empty() || rest.front() == '.' || rest.back() == ':') return {};
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const auto end = std::find_if(rest.begin(), rest.end(), is_space);
  Instruction instruction{.mnemonic = rest.substr(0, static_cast<std::size_t>(end - rest.begin())),
                          .operands = {}};
  rest = trimmed(rest.substr(instruction.mnemonic.size()));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= rest.size() && !rest.empty(); ++i) {
    if (i < rest.size()) depth += (rest[i] == '(') - (rest[i] == ')');
    if (i < rest.size() && (rest[i] != ',' || depth != 0)) continue;
    instruction.operands.push_back(trimmed(rest.substr(begin, i - begin)));
    begin = i + 1;
  }
  return instruction;
}

std::string_view whole_register(std::string_view operand) {
  if (!operand.starts_with('%')) return {};
  for (const auto& names : k_old_registers)
    if (std::find(names.begin(), names.end(), operand) != names.end()) return names.front();
  if (operand.starts_with("%xmm")) return operand;
  if (operand.size() < 3 || operand[1] != 'r' || !std::isdigit(static_cast<unsigned char>(operand[2])))
    return {};
  while (std::isalpha(static_cast<unsigned char>(operand.back()))) operand.remove_suffix(1);
  return operand;
}

bool parse_memory(std::string_view operand, MemoryOperand& memory) {
  if (operand.empty() || operand.front() == '%' || operand.front() == '$' || operand.front() == '*')
    return false; // a register, a segment, a constant, or the target of a jump
  std::string_view inside = operand;
  memory = {.displacement = cut(inside, '('), .base = {}, .index = {}, .scale = {}};
  if (inside.empty() || inside.back() != ')') return inside.empty();
  inside.remove_suffix(1);
  memory.base = cut(inside, ',');
  memory.index = cut(inside, ',');
  memory.scale = cut(inside, ',');
  return true;
}

unsigned bytes_of_move(const Instruction& instruction) {
  std::string_view mnemonic = instruction.mnemonic;
  if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
  const auto* const move = std::find_if(std::begin(k_moves), std::end(k_moves),
                                        [&](const Move& one) { return one.mnemonic == mnemonic; });
  return move == std::end(k_moves) ? 0 : move->bytes;
}

} // namespace reex
