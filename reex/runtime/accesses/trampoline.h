// Parts of the assembly by which the runtime stands in for functions of libc of any type: each export puts
// the function's index into r11 and goes to a common place, which keeps all registers of arguments, calls the
// runtime, and goes on with libc's function.
//
// Invariants: the registers of arguments lie at rsp, in 184 bytes: xmm0 to xmm7, then, from byte
// 128 on, rdi, rsi, rdx, rcx, r8, r9, rax. Of arguments on the stack, a function that comes back gets the
// first 48 bytes.
#pragma once

#include <cstdint>

#define REEX_EACH_ARGUMENT(MOVE_VECTOR, MOVE)                                                                \
  MOVE_VECTOR("0", "xmm0")                                                                                   \
  MOVE_VECTOR("16", "xmm1")                                                                                  \
  MOVE_VECTOR("32", "xmm2")                                                                                  \
  MOVE_VECTOR("48", "xmm3")                                                                                  \
  MOVE_VECTOR("64", "xmm4")                                                                                  \
  MOVE_VECTOR("80", "xmm5")                                                                                  \
  MOVE_VECTOR("96", "xmm6")                                                                                  \
  MOVE_VECTOR("112", "xmm7")                                                                                 \
  MOVE("128", "rdi")                                                                                         \
  MOVE("136", "rsi")                                                                                         \
  MOVE("144", "rdx")                                                                                         \
  MOVE("152", "rcx")                                                                                         \
  MOVE("160", "r8")                                                                                          \
  MOVE("168", "r9")                                                                                          \
  MOVE("176", "rax")

#define REEX_KEEP_VECTOR(at, name) "movups %" name ", " at "(%rsp)\n"
#define REEX_KEEP(at, name) "movq %" name ", " at "(%rsp)\n"
#define REEX_BRING_VECTOR(at, name) "movups " at "(%rsp), %" name "\n"
#define REEX_BRING(at, name) "movq " at "(%rsp), %" name "\n"

#define REEX_KEEP_ARGUMENTS REEX_EACH_ARGUMENT(REEX_KEEP_VECTOR, REEX_KEEP)
#define REEX_BRING_ARGUMENTS REEX_EACH_ARGUMENT(REEX_BRING_VECTOR, REEX_BRING)

// An exported function, numbered by the symbol `index`, which the first one finds at 0.
#define REEX_TRAMPOLINE(function, index, common)                                                             \
  ".globl " #function "\n.type " #function ", @function\n" #function ":\n"                                   \
  ".cfi_startproc\nmovl $" index ", %r11d\njmp " common "\n.cfi_endproc\n"                                   \
  ".size " #function ", . - " #function "\n.set " index ", " index " + 1\n"

namespace reex {

// What `before` returns: the function to go on with, and whether it comes back to `behind`.
struct Continuation {
  void* function;
  std::uint64_t comes_back;
};

} // namespace reex

// The caller's registers, as spin detection compares them, in its order (spin.cpp).
#define REEX_PUSH(name) "pushq %" name "\n.cfi_adjust_cfa_offset 8\n.cfi_rel_offset %" name ", 0\n"
#define REEX_POP(name) "popq %" name "\n.cfi_adjust_cfa_offset -8\n.cfi_restore %" name "\n"
#define REEX_PUSH_REGISTERS                                                                                  \
  REEX_PUSH("rbp") REEX_PUSH("r15") REEX_PUSH("r14") REEX_PUSH("r13") REEX_PUSH("r12") REEX_PUSH("rbx")
#define REEX_POP_REGISTERS                                                                                   \
  "movq %rbp, %rsp\n.cfi_def_cfa %rsp, 56\n" REEX_POP("rbx") REEX_POP("r12") REEX_POP("r13") REEX_POP("r14") \
      REEX_POP("r15") REEX_POP("rbp")
#define REEX_ARGUMENTS_OF_RUNTIME                                                                            \
  "movl %ebx, %edi\nleaq 128(%rsp), %rsi\nleaq 56(%rbp), %rdx\nmovq 48(%rbp), %rcx\n"

// The common place. It calls `Continuation before(index, arguments, frame, pc)` and, when the function has
// returned, `void behind(index, arguments, frame, pc)`, whose arguments[6] and [7] are the result in rax and
// rdx. Four words behind that are the callee's own, for the time between. Results in rax and rdx, or in xmm0,
// are passed on. rbx has the function's index, and rbp the place of the registers pushed first. Arguments on
// the stack begin at `frame`.
#define REEX_COMMON_PLACE(place, before, behind)                                                             \
  asm(".text\n"                                                                                              \
      ".type " place ", @function\n" place ":\n"                                                             \
      ".cfi_startproc\n" REEX_PUSH_REGISTERS "movq %rsp, %rbp\n"                                             \
      ".cfi_def_cfa %rbp, 56\n"                                                                              \
      "subq $232, %rsp\n"                                                                                    \
      "movl %r11d, %ebx\n" REEX_KEEP_ARGUMENTS REEX_ARGUMENTS_OF_RUNTIME "call " before "\n"                 \
      "movq %rax, %r11\n"                                                                                    \
      "movq %rdx, %r12\n" REEX_BRING_ARGUMENTS "testq %r12, %r12\n"                                          \
      "jne 1f\n"                                                                                             \
      ".cfi_remember_state\n" REEX_POP_REGISTERS "jmp *%r11\n"                                               \
      "1:\n"                                                                                                 \
      ".cfi_restore_state\n"                                                                                 \
      "pushq 96(%rbp)\npushq 88(%rbp)\npushq 80(%rbp)\npushq 72(%rbp)\npushq 64(%rbp)\npushq 56(%rbp)\n"     \
      "call *%r11\n"                                                                                         \
      "addq $48, %rsp\n"                                                                                     \
      "movq %rax, 176(%rsp)\n"                                                                               \
      "movq %rdx, 184(%rsp)\n"                                                                               \
      "movups %xmm0, (%rsp)\n" REEX_ARGUMENTS_OF_RUNTIME "call " behind "\n"                                 \
      "movq 176(%rsp), %rax\n"                                                                               \
      "movq 184(%rsp), %rdx\n"                                                                               \
      "movups (%rsp), %xmm0\n" REEX_POP_REGISTERS "ret\n"                                                    \
      ".cfi_endproc\n"                                                                                       \
      ".size " place ", . - " place "\n");
