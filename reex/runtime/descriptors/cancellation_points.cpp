// The cancellation points whose work libc does (cancellation_points.def). Their types differ, so each export
// is a few instructions that keep all registers of arguments, come to the point, and go on with libc's
// function.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/accesses/trampoline.h"
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

// r11 has the function's index.
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
)" REEX_KEEP_ARGUMENTS R"(
  movl %r11d, %edi
  leaq 16(%rbp), %rsi
  movq 8(%rbp), %rdx
  call reex_at_cancellation_point
  movq %rax, %r11
)" REEX_BRING_ARGUMENTS R"(
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
  REEX_TRAMPOLINE(function, "reex_cancellable_index", "reex_call_cancellable")
asm(".text\n.set reex_cancellable_index, 0\n"
#include "reex/runtime/descriptors/cancellation_points.def"
);
#undef REEX_CANCELLATION_POINT
