#include "reex/hooks/assembler/routine.h"

#include <iterator>
#include <span>

namespace reex {
namespace {

constexpr std::string_view k_kept[] = {"%rax", "%rcx", "%rdx", "%rsi", "%rdi", "%r8", "%r9", "%r10"};
constexpr std::string_view k_callers[] = {"%rbx", "%r12", "%r13", "%r14", "%r15"};
constexpr unsigned k_largest_hook = 16; // bytes
// The distances that the instructions which do nothing have.
constexpr std::string_view k_mark = "0x78656572";
constexpr std::string_view k_unseen = "0x6e657375";
constexpr std::string_view k_behind = "reex_behind";

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

// A program that is linked with another library than reex's hooks does not have it.
std::string call_if_there(const std::string& function) {
  return "\t.weak\t" + function + "\n\tmovq\t" + function +
         "@GOTPCREL(%rip), %rax\n\ttestq\t%rax, %rax\n\tje\t1f\n\tcall\t*%rax\n1:\n";
}

// `calls` is what calls the routine.
std::string call(const std::string& calls, Below below) {
  const std::string kept = "\tmovq\t%r11, -64(%rsp)\n" + calls;
  if (below == Below::nothing) return kept;
  const auto move = [below](const std::string& bytes, const std::string& deeper) {
    const std::string directive = "\t.cfi_adjust_cfa_offset " + deeper + '\n';
    return "\tleaq\t" + bytes + "(%rsp), %rsp\n" + (below == Below::red_zone_of_cfa ? directive : "");
  };
  return move("-128", "128") + kept + move("128", "-128");
}

// `more`: registers that functions keep, and that lie below the others all the same.
std::string routine(const std::string& name, std::span<const std::string_view> more, const std::string& calls,
                    bool all) {
  std::string text = "\t.type\t" + name + ", @function\n" + name +
                     ":\n\t.cfi_startproc\n\tpushq\t%rbp\n\t.cfi_def_cfa_offset 16\n"
                     "\t.cfi_offset 6, -16\n\tmovq\t%rsp, %rbp\n\t.cfi_def_cfa_register 6\n"
                     "\tpushq\t-48(%rbp)\n\tpushfq\n";
  for (const std::string_view kept : k_kept) text += "\tpushq\t" + std::string(kept) + '\n';
  for (const std::string_view kept : more) text += "\tpushq\t" + std::string(kept) + '\n';
  text += save(all) + calls + restore(all) + "\tleaq\t-80(%rbp), %rsp\n";
  for (auto kept = std::rbegin(k_kept); kept != std::rend(k_kept); ++kept)
    text += "\tpopq\t" + std::string(*kept) + '\n';
  return text + "\tpopfq\n\tpopq\t%r11\n\tleave\n\t.cfi_def_cfa 7, 8\n\tret\n\t.cfi_endproc\n";
}

std::string name_of(const AssemblyHook& hook) {
  constexpr std::string_view kinds[] = {"load", "store", "exchange", "compare"};
  return std::string(hook.exempted ? "reex_exempted_" : "reex_") +
         std::string(kinds[static_cast<unsigned>(hook.kind)]) + std::to_string(hook.bytes);
}

// Moves r11 to the word of a bit, and keeps the flags: what is read a byte further on has lost eight bits.
std::string move_to_word(std::string_view bit, unsigned bytes) {
  const bool is_long = bytes == 8;
  return std::string("\tmovq\t%r10, -56(%rsp)\n") + (is_long ? "\tmovq\t" : "\tmovslq\t") + std::string(bit) +
         ", %r10\n\tleaq\t(,%r10," + (is_long ? "4" : "8") +
         "), %r10\n\tmovq\t%r10, -48(%rsp)\n\tmovslq\t-47(%rsp), %r10\n\tleaq\t(%r11,%r10," +
         std::to_string(bytes) + "), %r11\n\tmovq\t-56(%rsp), %r10\n";
}

std::string mark(std::string_view distance) { return "\tnopl\t" + std::string(distance) + "(%rax)\n"; }

} // namespace

std::string name_of(const HookOf& hook) {
  const std::string kind = hook.writes ? "write" : "read";
  return (!hook.repeats ? kind : hook.writes ? "write_range" : "range") + std::to_string(hook.bytes);
}

std::string call_of(const HookOf& hook, std::string_view operand, Below below) {
  return call("\tleaq\t" + std::string(operand) + ", %r11\n\tcall\treex_" + name_of(hook) + '\n', below);
}

std::string routine_of(const HookOf& hook, bool all) {
  return routine("reex_" + name_of(hook), {}, call_hook(hook), all);
}

std::string call_before(const AssemblyHook& hook, std::string_view operand, std::string_view bit,
                        Below below) {
  return call("\tleaq\t" + std::string(operand) + ", %r11\n" +
                  (bit.empty() ? "" : move_to_word(bit, hook.bytes)) + "\tcall\t" + name_of(hook) + '\n',
              below) +
         mark(k_mark);
}

std::string unseen_mark() { return mark(k_unseen); }

std::string call_behind(Below below) { return call("\tcall\t" + std::string(k_behind) + '\n', below); }

// All registers lie where reex looks for those of a loop that waits (runtime/schedule/spin.cpp): seven words
// below the frame that is told, and up from there.
std::string routine_before(const AssemblyHook& hook, bool all) {
  constexpr unsigned k_exempted = 1u << 7;
  const unsigned what = static_cast<unsigned>(hook.kind) | (hook.exempted ? k_exempted : 0) | hook.bytes << 8;
  return routine(name_of(hook), k_callers,
                 "\tmovq\t%r11, %rdi\n\tmovl\t$" + std::to_string(what) +
                     ", %esi\n\tmovq\t8(%rbp), %rdx\n\tleaq\t-64(%rbp), %rcx\n\tmovq\t-24(%rbp), %r8\n" +
                     call_if_there("reex_assembly_before"),
                 all);
}

std::string routine_behind(bool all) {
  return routine(std::string(k_behind), k_callers,
                 "\tmovq\t-16(%rbp), %rdi\n\tmovq\t8(%rbp), %rsi\n" + call_if_there("reex_assembly_behind"),
                 all);
}

} // namespace reex
