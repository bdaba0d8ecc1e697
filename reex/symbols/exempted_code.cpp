#include "reex/symbols/exempted_code.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <Zydis/Zydis.h>

#include "reex/symbols/atomic_code.h"

namespace reex::detail {
namespace {

constexpr std::array k_passed{ZYDIS_REGISTER_RDI, ZYDIS_REGISTER_RSI, ZYDIS_REGISTER_RDX,
                              ZYDIS_REGISTER_RCX, ZYDIS_REGISTER_R8,  ZYDIS_REGISTER_R9};
constexpr std::array k_kept{ZYDIS_REGISTER_RBX, ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_R12,
                            ZYDIS_REGISTER_R13, ZYDIS_REGISTER_R14, ZYDIS_REGISTER_R15}; // over a call
constexpr std::size_t k_registers = 16;

std::size_t index_of(ZydisRegister name) {
  return name >= ZYDIS_REGISTER_RAX && name <= ZYDIS_REGISTER_R15
             ? static_cast<std::size_t>(name - ZYDIS_REGISTER_RAX)
             : k_registers;
}
ZydisRegister whole(ZydisRegister name) {
  return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
}
bool is_frame(ZydisRegister name) { return name == ZYDIS_REGISTER_RSP || name == ZYDIS_REGISTER_RBP; }
bool is_register(const ZydisDecodedOperand& operand) { return operand.type == ZYDIS_OPERAND_TYPE_REGISTER; }
bool is_slot(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && is_frame(operand.mem.base) &&
         operand.mem.index == ZYDIS_REGISTER_NONE;
}

// An address that the function has.
enum class Pointer { other, passed, linked }; // `linked`: the linker has put it into a table

// Follows them through registers and words of the stack, from line to line.
class Pointers {
public:
  Pointers() {
    for (const ZydisRegister name : k_passed) m_in[index_of(name)] = Pointer::passed;
  }

  Pointer in(ZydisRegister name) const {
    const std::size_t index = index_of(name);
    return index < k_registers ? m_in[index] : Pointer::other;
  }

  void take(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
    const bool moves = instruction.mnemonic == ZYDIS_MNEMONIC_MOV && instruction.operand_width == 64;
    const Pointer moved = moves ? from(operands[1]) : Pointer::other;
    if (instruction.meta.category == ZYDIS_CATEGORY_CALL) forget();
    for (std::size_t i = 0; i < instruction.operand_count; ++i) {
      if ((operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == 0) continue;
      const Pointer now = i == 0 ? moved : Pointer::other;
      if (is_slot(operands[i])) m_slots[slot(operands[i])] = now;
      if (!is_register(operands[i])) continue;
      if (const std::size_t index = index_of(whole(operands[i].reg.value)); index < k_registers)
        m_in[index] = now;
    }
  }

private:
  using Slot = std::pair<ZydisRegister, ZyanI64>;
  static Slot slot(const ZydisDecodedOperand& operand) { return {operand.mem.base, operand.mem.disp.value}; }

  Pointer from(const ZydisDecodedOperand& operand) const {
    if (is_register(operand)) return in(whole(operand.reg.value));
    if (is_slot(operand)) {
      const auto found = m_slots.find(slot(operand));
      return found == m_slots.end() ? Pointer::other : found->second;
    }
    return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.base == ZYDIS_REGISTER_RIP
               ? Pointer::linked
               : Pointer::other;
  }

  void forget() {
    for (std::size_t i = 0; i < k_registers; ++i)
      if (std::none_of(k_kept.begin(), k_kept.end(), [i](ZydisRegister kept) { return index_of(kept) == i; }))
        m_in[i] = Pointer::other;
  }

  std::array<Pointer, k_registers> m_in{};
  std::map<Slot, Pointer> m_slots;
};

bool is_in_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_MEM &&
         operand.mem.segment != ZYDIS_REGISTER_FS && operand.mem.segment != ZYDIS_REGISTER_GS &&
         (operand.actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_MASK_WRITE)) != 0;
}

class Search {
public:
  Search(const ModuleCode& module, const CodeFunction& function)
      : m_module(module), m_low(function.range.low) {}

  bool is_access(std::size_t at, const ZydisDecodedInstruction& instruction,
                 const ZydisDecodedOperand* operands) const {
    switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR: // through a table
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
      return false;
    default:
      break;
    }
    return std::any_of(operands, operands + instruction.operand_count_visible,
                       [&](const ZydisDecodedOperand& operand) {
                         return is_in_memory(operand) && is_of_others(at, instruction, operand);
                       });
  }

  // Whether it writes behind a pointer that was passed: perhaps an object that the function returns.
  bool writes_as_told(const ZydisDecodedOperand* operands) const {
    return is_in_memory(operands[0]) && (operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_READ) == 0 &&
           m_pointers.in(operands[0].mem.base) == Pointer::passed;
  }
  // At the end of the function: it gives the pointer back, as one does that returns an object there. Without
  // optimization, what was an address just before is left in the register, and not put there to be returned.
  bool gives_back() const {
    return m_pointers.in(ZYDIS_REGISTER_RAX) == Pointer::passed && !m_is_left_in_rax;
  }

  void take(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
    for (std::size_t i = 0; i < instruction.operand_count; ++i) {
      const ZydisDecodedOperand& one = operands[i];
      if (is_in_memory(one) && one.mem.base == ZYDIS_REGISTER_RAX) m_is_left_in_rax = m_is_loaded_to_rax;
    }
    if (is_register(operands[0]) && (operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 &&
        whole(operands[0].reg.value) == ZYDIS_REGISTER_RAX) {
      m_is_left_in_rax = false;
      m_is_loaded_to_rax =
          instruction.operand_count > 1 && is_slot(operands[1]) && operands[1].mem.base == ZYDIS_REGISTER_RBP;
    }
    m_pointers.take(instruction, operands);
  }

private:
  bool is_of_others(std::size_t at, const ZydisDecodedInstruction& instruction,
                    const ZydisDecodedOperand& operand) const {
    ZyanU64 address = 0;
    if (operand.mem.base == ZYDIS_REGISTER_RIP)
      return ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(&instruction, &operand, m_low + at, &address)) &&
             m_module.in_variables(address);
    return m_pointers.in(operand.mem.base) != Pointer::other;
  }

  const ModuleCode& m_module;
  std::uint64_t m_low;
  Pointers m_pointers;
  bool m_is_loaded_to_rax = false, m_is_left_in_rax = false;
};

} // namespace

std::optional<std::size_t> exempted_access(const ModuleCode& module, const CodeFunction& function,
                                           bool by_gnu) {
  if (by_gnu ? module.calls_hooks(function.range) : module.calls_hooks_of_accesses(function.range)) return {};
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  const std::string_view code = module.code(function.range);
  Search search(module, function);
  std::optional<std::size_t> written; // where it may be an object that is returned
  bool gives_back = true, follows_hook = false;
  for (std::size_t i = 0; i < code.size();) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, code.data() + i, code.size() - i, &instruction, operands)))
      return {};
    const bool has_hook = follows_hook || code.substr(0, i).ends_with(k_hook_mark);
    if (!has_hook && search.is_access(i, instruction, operands)) {
      if (!by_gnu || !search.writes_as_told(operands)) return i;
      written = written.value_or(i);
    }
    if (instruction.meta.category == ZYDIS_CATEGORY_RET) gives_back = gives_back && search.gives_back();
    // Those of plain accesses have no mark (hooks/assembler/routine.cpp).
    follows_hook = instruction.meta.category == ZYDIS_CATEGORY_CALL ||
                   (follows_hook && instruction.mnemonic == ZYDIS_MNEMONIC_LEA);
    search.take(instruction, operands);
    i += instruction.length;
  }
  return gives_back ? std::nullopt : written;
}

} // namespace reex::detail
