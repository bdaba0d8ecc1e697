// Parts of the assembly by which the runtime stands in for functions of libc of any type: each export puts
// the function's index into r11 and goes to a common place, which keeps all registers of arguments, calls the
// runtime, and goes on with libc's function.
//
// Invariants: the registers of arguments lie at rsp, in 184 bytes: xmm0 to xmm7, then, from byte
// 128 on, rdi, rsi, rdx, rcx, r8, r9, rax.
#pragma once

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
