#include "reex/symbols/stack_switch.h"

#include <algorithm>
#include <array>

#include <Zydis/Zydis.h>
#include <dwarf.h>

namespace reex::detail {
namespace {

bool may_order(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  switch (instruction.mnemonic) {
  case ZYDIS_MNEMONIC_XCHG:
  case ZYDIS_MNEMONIC_XADD:
  case ZYDIS_MNEMONIC_CMPXCHG:
  case ZYDIS_MNEMONIC_CMPXCHG8B:
  case ZYDIS_MNEMONIC_CMPXCHG16B:
  case ZYDIS_MNEMONIC_MFENCE:
  case ZYDIS_MNEMONIC_SFENCE:
  case ZYDIS_MNEMONIC_LFENCE:
  case ZYDIS_MNEMONIC_PAUSE:
    return true;
  default:
    break;
  }
  switch (instruction.meta.category) {
  case ZYDIS_CATEGORY_CALL:
  case ZYDIS_CATEGORY_SYSCALL:
  case ZYDIS_CATEGORY_INTERRUPT:
    return true;
  case ZYDIS_CATEGORY_COND_BR:
  case ZYDIS_CATEGORY_UNCOND_BR: // through a register or memory it leaves for another fiber
    return operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.value.s < 0;
  default:
    return (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0;
  }
}

bool loads_stack_pointer(const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* operands) {
  return instruction.mnemonic == ZYDIS_MNEMONIC_MOV && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
         operands[0].reg.value == ZYDIS_REGISTER_RSP &&
         (operands[1].type != ZYDIS_OPERAND_TYPE_REGISTER || operands[1].reg.value != ZYDIS_REGISTER_RBP);
}

// Boost.Context's own code, of which many libraries have a copy. What makes a context loads no stack pointer,
// and has a call, which ends the process.
bool is_of_boost_context(std::string_view function) {
  constexpr std::array<std::string_view, 3> k_names = {"make_fcontext", "jump_fcontext", "ontop_fcontext"};
  return std::find(k_names.begin(), k_names.end(), function) != k_names.end();
}

bool is_of_boost_context(const ModuleCode& module, const CodeUnit& unit) {
  bool any = false;
  for (const CodeFunction& function : module.functions()) {
    const auto in_function = [&](const CodeRange& range) {
      return range.low <= function.range.low && function.range.low < range.high;
    };
    if (!function.is_exported || std::none_of(unit.ranges.begin(), unit.ranges.end(), in_function)) continue;
    if (!is_of_boost_context(function.name)) return false;
    any = true;
  }
  return any;
}

bool only_switches(const ModuleCode& module, const std::vector<CodeRange>& ranges) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  bool switches = false;
  for (const CodeRange& range : ranges) {
    const std::string_view code = module.code(range);
    for (std::size_t i = 0; i < code.size();) {
      ZydisDecodedInstruction instruction;
      ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
      if (!ZYAN_SUCCESS(
              ZydisDecoderDecodeFull(&decoder, code.data() + i, code.size() - i, &instruction, operands)) ||
          may_order(instruction, operands))
        return false;
      switches = switches || loads_stack_pointer(instruction, operands);
      i += instruction.length;
    }
  }
  return switches;
}

} // namespace

bool switches_stacks(const ModuleCode& module, const CodeUnit& unit) {
  Dwarf_Die die = unit.die;
  if (dwarf_srclang(&die) != DW_LANG_Mips_Assembler) return false;
  return is_of_boost_context(module, unit) || only_switches(module, unit.ranges);
}

bool switches_stacks(const ModuleCode& module, const CodeFunction& function) {
  return is_of_boost_context(function.name) || only_switches(module, {function.range});
}

} // namespace reex::detail
