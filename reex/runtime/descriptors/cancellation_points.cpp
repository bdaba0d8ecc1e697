// The cancellation points whose work libc does (cancellation_points.def). Their types differ, so each export
// is a few instructions that keep all registers of arguments, come to the point, and go on with libc's
// function.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/modules.h"

namespace reex {
namespace {

constexpr const char* k_names[] = {
#define REEX_CANCELLATION_POINT(function, definition) REEX_NAME_##definition(function)
#define REEX_NAME_own(function)
#define REEX_NAME_libc(function) #function,
#include "reex/runtime/descriptors/cancellation_points.def"
#undef REEX_CANCELLATION_POINT
};

void* g_real[sizeof k_names / sizeof *k_names];

} // namespace

// Returns libc's function. The calls that libraries make are points too: libc's own calls do not come here.
extern "C" __attribute__((used)) void* reex_at_cancellation_point(unsigned index, void* frame, void* pc) {
  if (g_real[index] == nullptr) [[unlikely]]
    g_real[index] = find_library_function(k_names[index]);
  if (!in_runtime(reinterpret_cast<std::uint64_t>(pc))) {
    const CancellationPoint point;
    reach_cancellation_point(pc, frame);
  }
  return g_real[index];
}

} // namespace reex

// Below the caller's rbp lie xmm0 to xmm7, then rdi, rsi, rdx, rcx, r8, r9, rax. r11 has the function's
// index.
asm(R"(
  .text
  .type reex_call_cancellable, @function
reex_call_cancellable:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movups %xmm0, (%rsp)
  movups %xmm1, 16(%rsp)
  movups %xmm2, 32(%rsp)
  movups %xmm3, 48(%rsp)
  movups %xmm4, 64(%rsp)
  movups %xmm5, 80(%rsp)
  movups %xmm6, 96(%rsp)
  movups %xmm7, 112(%rsp)
  movq %rdi, 128(%rsp)
  movq %rsi, 136(%rsp)
  movq %rdx, 144(%rsp)
  movq %rcx, 152(%rsp)
  movq %r8, 160(%rsp)
  movq %r9, 168(%rsp)
  movq %rax, 176(%rsp)
  movl %r11d, %edi
  leaq 16(%rbp), %rsi
  movq 8(%rbp), %rdx
  call reex_at_cancellation_point
  movq %rax, %r11
  movups (%rsp), %xmm0
  movups 16(%rsp), %xmm1
  movups 32(%rsp), %xmm2
  movups 48(%rsp), %xmm3
  movups 64(%rsp), %xmm4
  movups 80(%rsp), %xmm5
  movups 96(%rsp), %xmm6
  movups 112(%rsp), %xmm7
  movq 128(%rsp), %rdi
  movq 136(%rsp), %rsi
  movq 144(%rsp), %rdx
  movq 152(%rsp), %rcx
  movq 160(%rsp), %r8
  movq 168(%rsp), %r9
  movq 176(%rsp), %rax
  leave
  .cfi_def_cfa %rsp, 8
  .cfi_restore %rbp
  jmp *%r11
  .cfi_endproc
  .size reex_call_cancellable, . - reex_call_cancellable
)");

// The exported functions, numbered as in k_names.
#define REEX_CANCELLATION_POINT(function, definition) REEX_EXPORT_##definition(function)
#define REEX_EXPORT_own(function)
#define REEX_EXPORT_libc(function)                                                                           \
  ".globl " #function "\n.type " #function ", @function\n" #function ":\n"                                   \
  ".cfi_startproc\nmovl $reex_cancellable_index, %r11d\njmp reex_call_cancellable\n.cfi_endproc\n"           \
  ".size " #function ", . - " #function "\n.set reex_cancellable_index, reex_cancellable_index + 1\n"
asm(".text\n.set reex_cancellable_index, 0\n"
#include "reex/runtime/descriptors/cancellation_points.def"
);
#undef REEX_CANCELLATION_POINT
