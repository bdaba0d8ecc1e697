#include "reex/hooks/assembler/routine.h"

#include <iterator>

namespace reex {
namespace {

constexpr std::string_view k_kept[] = {"%rax", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10"};
constexpr unsigned k_largest_hook = 16; // bytes

std::string move_xmm(bool saves) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    const std::string place = std::to_string(16 * i) + "(%rsp)";
    const std::string vector = "%xmm" + std::to_string(i);
    text += "\tmovaps\t" + (saves ? vector + ", " + place : place + ", " + vector) + '\n';
  }
  return text;
}

// x87, SSE, AVX and the three parts of AVX-512, in the standard format: up to byte 2,688.
constexpr std::string_view k_parts = "\tmovl\t$0xe7, %eax\n\txorl\t%edx, %edx\n";

std::string save(bool all) {
  if (!all) return "\tsubq\t$256, %rsp\n\tandq\t$-16, %rsp\n" + move_xmm(true);
  std::string text = "\tsubq\t$2688, %rsp\n\tandq\t$-64, %rsp\n";
  for (int i = 512; i < 576; i += 8) text += "\tmovq\t$0, " + std::to_string(i) + "(%rsp)\n"; // the header
  return text.append(k_parts) + "\txsave\t(%rsp)\n\tfninit\n"; // a function begins with an empty x87 stack
}

std::string restore(bool all) { return all ? std::string(k_parts) + "\txrstor\t(%rsp)\n" : move_xmm(false); }

// The place of the access is in r11, how often it repeats in rcx, and where the routine was called from
// behind the frame.
std::string call_hook(const HookOf& hook) {
  const std::string kind = hook.writes ? "write" : "read";
  std::string size;
  if (hook.repeats)
    size = "\tleaq\t(,%rcx," + std::to_string(hook.bytes) + "), %rsi\n";
  else if (hook.bytes > k_largest_hook)
    size = "\tmovl\t$" + std::to_string(hook.bytes) + ", %esi\n";
  const std::string of = size.empty() ? std::to_string(hook.bytes) : "_range";
  return "\tmovq\t%r11, %rdi\n" + size + "\tmovq\t8(%rbp), " + (size.empty() ? "%rsi" : "%rdx") +
         "\n\tcall\t__tsan_" + kind + of + "_pc@PLT\n";
}

} // namespace

std::string name_of(const HookOf& hook) {
  const std::string kind = hook.writes ? "write" : "read";
  return (!hook.repeats ? kind : hook.writes ? "write_range" : "range") + std::to_string(hook.bytes);
}

std::string call_of(const HookOf& hook, std::string_view operand, Below below) {
  const std::string call = "\tmovq\t%r11, -64(%rsp)\n\tleaq\t" + std::string(operand) +
                           ", %r11\n\tcall\treex_" + name_of(hook) + '\n';
  if (below == Below::nothing) return call;
  const auto move = [below](const std::string& bytes, const std::string& deeper) {
    const std::string directive = "\t.cfi_adjust_cfa_offset " + deeper + '\n';
    return "\tleaq\t" + bytes + "(%rsp), %rsp\n" + (below == Below::red_zone_of_cfa ? directive : "");
  };
  return move("-128", "128") + call + move("128", "-128");
}

std::string routine_of(const HookOf& hook, bool all) {
  const std::string name = "reex_" + name_of(hook);
  std::string text = "\t.type\t" + name + ", @function\n" + name +
                     ":\n\t.cfi_startproc\n\tpushq\t%rbp\n\t.cfi_def_cfa_offset 16\n"
                     "\t.cfi_offset 6, -16\n\tmovq\t%rsp, %rbp\n\t.cfi_def_cfa_register 6\n"
                     "\tpushq\t-48(%rbp)\n\tpushfq\n";
  for (const std::string_view kept : k_kept) text += "\tpushq\t" + std::string(kept) + '\n';
  text += save(all) + call_hook(hook) + restore(all) + "\tleaq\t-80(%rbp), %rsp\n";
  for (auto kept = std::rbegin(k_kept); kept != std::rend(k_kept); ++kept)
    text += "\tpopq\t" + std::string(*kept) + '\n';
  return text + "\tpopfq\n\tpopq\t%r11\n\tleave\n\t.cfi_def_cfa 7, 8\n\tret\n\t.cfi_endproc\n";
}

} // namespace reex
