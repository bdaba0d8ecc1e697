#include "reex/hooks/assembler/instruction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace reex {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

namespace {

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

constexpr std::array<std::string_view, 32> k_vectors{
    "%xmm0",  "%xmm1",  "%xmm2",  "%xmm3",  "%xmm4",  "%xmm5",  "%xmm6",  "%xmm7",
    "%xmm8",  "%xmm9",  "%xmm10", "%xmm11", "%xmm12", "%xmm13", "%xmm14", "%xmm15",
    "%xmm16", "%xmm17", "%xmm18", "%xmm19", "%xmm20", "%xmm21", "%xmm22", "%xmm23",
    "%xmm24", "%xmm25", "%xmm26", "%xmm27", "%xmm28", "%xmm29", "%xmm30", "%xmm31"};

std::string_view vector_register(std::string_view operand) { // of any length, perhaps with a mask
  const std::string_view digits = operand.substr(4, operand.find('{') - 4);
  const auto found = std::find_if(k_vectors.begin(), k_vectors.end(),
                                  [&](std::string_view name) { return name.substr(4) == digits; });
  return found == k_vectors.end() ? std::string_view{} : *found;
}

struct Move {
  std::string_view mnemonic;
  unsigned bytes;
};
constexpr Move k_moves[] = {{"movb", 1},    {"movw", 2},    {"movl", 4},    {"movq", 8},    {"movzbl", 1},
                            {"movzwl", 2},  {"movsbl", 1},  {"movswl", 2},  {"movzbw", 1},  {"movsbw", 1},
                            {"movsbq", 1},  {"movswq", 2},  {"movzbq", 1},  {"movzwq", 2},  {"movslq", 4},
                            {"movss", 4},   {"movsd", 8},   {"movd", 4},    {"movups", 16}, {"movaps", 16},
                            {"movupd", 16}, {"movapd", 16}, {"movdqu", 16}, {"movdqa", 16}, {"pushq", 8}};
// AVX-512 has a name for each size of the elements that a mask may leave out.
constexpr std::array<std::string_view, 6> k_moves_of_elements{"movdqu8",  "movdqu16", "movdqu32",
                                                              "movdqu64", "movdqa32", "movdqa64"};
// Between memory, or a register, and a part of a vector register.
constexpr Move k_moves_of_parts[] = {
    {"movlps", 8},      {"movhps", 8},      {"movlpd", 8},       {"movhpd", 8},      {"pinsrq", 8},
    {"pinsrd", 4},      {"pextrq", 8},      {"pextrd", 4},       {"pextrw", 2},      {"pextrb", 1},
    {"inserti128", 16}, {"insertf128", 16}, {"extracti128", 16}, {"extractf128", 16}};

constexpr Move k_stores_of_x87[] = {{"fstps", 4}, {"fstpl", 8}, {"fstpt", 8}}; // fstpt: 10, two words
// With an operand in memory, behind its size.
constexpr std::array<std::string_view, 14> k_changes{"add", "sub", "adc", "sbb", "and", "or",  "xor",
                                                     "inc", "dec", "neg", "not", "sal", "shr", "sar"};

std::string_view without_v(std::string_view mnemonic) { // the name of AVX
  if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
  return mnemonic;
}

// Of what a mask leaves out, nothing is moved.
bool has_mask(const Instruction& instruction) {
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [](std::string_view operand) { return operand.find('{') != std::string_view::npos; });
}

unsigned bytes_of_vector(const Instruction& instruction) {
  unsigned bytes = 16;
  for (const std::string_view operand : instruction.operands)
    bytes = std::max(bytes, operand.starts_with("%zmm") ? 64u : operand.starts_with("%ymm") ? 32u : 16u);
  return bytes;
}

unsigned bytes_past_cache(const Instruction& instruction) {
  if (without_v(instruction.mnemonic) != "movnti") return bytes_of_vector(instruction);
  const std::string_view from = instruction.operands.front();
  return from.starts_with("%e") || from.ends_with('d') ? 4 : 8;
}

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
  if (operand.starts_with("%xmm") || operand.starts_with("%ymm") || operand.starts_with("%zmm"))
    return vector_register(operand);
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

bool is_past_cache(const Instruction& instruction) {
  const std::string_view mnemonic = without_v(instruction.mnemonic);
  return mnemonic.starts_with("movnt") && mnemonic != "movntdqa";
}

bool moves_part(const Instruction& instruction) {
  const std::string_view mnemonic = without_v(instruction.mnemonic);
  return std::any_of(std::begin(k_moves_of_parts), std::end(k_moves_of_parts),
                     [&](const Move& one) { return one.mnemonic == mnemonic; });
}

unsigned bytes_of_move(const Instruction& instruction) {
  const std::string_view mnemonic = without_v(instruction.mnemonic);
  if (has_mask(instruction)) return 0;
  if (is_past_cache(instruction)) return bytes_past_cache(instruction);
  for (const Move& part : k_moves_of_parts)
    if (part.mnemonic == mnemonic) return part.bytes;
  if (std::find(k_moves_of_elements.begin(), k_moves_of_elements.end(), mnemonic) !=
      k_moves_of_elements.end())
    return bytes_of_vector(instruction);
  const auto* const move = std::find_if(std::begin(k_moves), std::end(k_moves),
                                        [&](const Move& one) { return one.mnemonic == mnemonic; });
  if (move == std::end(k_moves)) return 0;
  return move->bytes == 16 ? bytes_of_vector(instruction) : move->bytes;
}

unsigned bytes_of_suffix(char suffix) {
  switch (suffix) {
  case 'b':
    return 1;
  case 'w':
    return 2;
  case 'l':
    return 4;
  case 'q':
    return 8;
  default:
    return 0;
  }
}

unsigned bytes_of_write(const Instruction& instruction) {
  if (const unsigned bytes = bytes_of_move(instruction); bytes != 0) return bytes;
  const std::string_view mnemonic = instruction.mnemonic;
  if (mnemonic.starts_with("set")) return 1;
  for (const Move& store : k_stores_of_x87)
    if (store.mnemonic == mnemonic) return store.bytes;
  if (mnemonic.empty()) return 0;
  const std::string_view what = mnemonic.substr(0, mnemonic.size() - 1);
  if (std::find(k_changes.begin(), k_changes.end(), what) == k_changes.end()) return 0;
  return bytes_of_suffix(mnemonic.back());
}

std::vector<std::string_view> implicitly_written(const Instruction& instruction) {
  const std::string_view mnemonic = instruction.mnemonic;
  const std::size_t count = instruction.operands.size();
  const auto is = [mnemonic](std::string_view start) { return mnemonic.starts_with(start); };
  if (is("rep")) return {"%rcx", "%rsi", "%rdi"};
  if (is("mulx")) return {whole_register(instruction.operands[count - 2])};
  if (is("xchg") || is("xadd")) return {whole_register(instruction.operands.front())};
  if (is("cmpxchg") || is("lock")) return {"%rax", "%rdx"};
  if (count == 1 && (is("mul") || is("imul") || is("div") || is("idiv"))) return {"%rax", "%rdx"};
  if (count != 0) return {};
  if (is("clt") || is("cqt") || is("cwt")) return {"%rax", "%rdx"};
  if (mnemonic == "leave") return {"%rbp"};
  if (is("movs") || is("stos") || is("lods") || is("cmps") || is("scas")) return {"%rax", "%rsi", "%rdi"};
  if (is("cpuid") || is("rdtsc") || is("xgetbv") || is("syscall"))
    return {"%rax", "%rbx", "%rcx", "%rdx", "%r11"};
  return {};
}

} // namespace reex
