#include "reex/runtime/machine/kept_call.h"

asm(R"(
  .text
  .hidden reex_kept_call
  .globl reex_kept_call
  .type reex_kept_call, @function
reex_kept_call:
  .cfi_startproc
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  .hidden reex_kept_call_return
  .globl reex_kept_call_return
reex_kept_call_return:
  ret
  .cfi_endproc
  .size reex_kept_call, . - reex_kept_call
)");

extern "C" __attribute__((visibility("hidden"))) const char reex_kept_call_return[];

namespace reex {

std::uintptr_t kept_call_return() { return reinterpret_cast<std::uintptr_t>(reex_kept_call_return); }

} // namespace reex
