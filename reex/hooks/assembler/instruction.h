// One line of assembly (x86-64, AT&T syntax), as far as announce.h needs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reex {

struct Instruction {
  std::string_view mnemonic; // empty: none, such as a label or a directive
  std::vector<std::string_view> operands;
};

Instruction parse_instruction(std::string_view line);

// Without the white space around it.
std::string_view trimmed(std::string_view text);

// The bytes that an operation has by the last letter of its name: b, w, l or q. 0: another letter.
unsigned bytes_of_suffix(char suffix);

// The register that `operand` is a part of, or that is a part of it: %rax for %al, %xmm0 for %ymm0; "": none.
std::string_view whole_register(std::string_view operand);

// disp(base,index,scale). A part that is missing is empty.
struct MemoryOperand {
  std::string_view displacement; // a number, a symbol, or both
  std::string_view base;
  std::string_view index;
  std::string_view scale;
};

// Whether `operand` is in memory, and where.
bool parse_memory(std::string_view operand, MemoryOperand& memory);

// Whether the instruction moves a part of a vector register; the rest of the register stays.
bool moves_part(const Instruction& instruction);

// Whether it stores past the cache.
bool is_past_cache(const Instruction& instruction);

// How many bytes a move has; 0: the instruction is none, or of no size that has a hook.
unsigned bytes_of_move(const Instruction& instruction);

// How many bytes it writes at its last operand, which is in memory, by a move or otherwise; 0 as above.
unsigned bytes_of_write(const Instruction& instruction);

// The registers that it writes although no operand of it names them.
std::vector<std::string_view> implicitly_written(const Instruction& instruction);

} // namespace reex
