// The cancellation points whose work libc does (cancellation_points.def). Their types differ, so each export
// is a few instructions that keep all registers of arguments, come to the point, and go on with libc's
// function.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/accesses/trampoline.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/file_points.h"
#include "reex/runtime/machine/modules.h"

namespace reex {
namespace {

enum class Files : std::uint8_t { no, read, written };

struct Function {
  const char* name;
  Files files;
};

constexpr Function k_functions[] = {
#define REEX_CANCELLATION_POINT(function, definition) REEX_NAME_##definition(function)
#define REEX_NAME_own(function)
#define REEX_NAME_libc(function) {#function, Files::no},
#define REEX_NAME_reads(function) {#function, Files::read},
#define REEX_NAME_writes(function) {#function, Files::written},
#include "reex/runtime/descriptors/cancellation_points.def"
#undef REEX_CANCELLATION_POINT
};

void* g_real[sizeof k_functions / sizeof *k_functions];

} // namespace

// Returns libc's function. The calls that libraries make are points too: libc's own calls do not come here.
extern "C" __attribute__((used)) void* reex_at_cancellation_point(unsigned index, void* frame, void* pc) {
  if (g_real[index] == nullptr) [[unlikely]]
    g_real[index] = find_library_function(k_functions[index].name);
  if (!in_runtime(reinterpret_cast<std::uint64_t>(pc))) {
    const CancellationPoint point;
    if (k_functions[index].files == Files::read) read_point(pc, frame);
    if (k_functions[index].files == Files::written) write_point(pc, frame);
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

// The exported functions, numbered as in k_functions.
#define REEX_CANCELLATION_POINT(function, definition) REEX_EXPORT_##definition(function)
#define REEX_EXPORT_own(function)
#define REEX_EXPORT_reads(function) REEX_EXPORT_libc(function)
#define REEX_EXPORT_writes(function) REEX_EXPORT_libc(function)
#define REEX_EXPORT_libc(function)                                                                           \
  REEX_TRAMPOLINE(function, "reex_cancellable_index", "reex_call_cancellable")
asm(".text\n.set reex_cancellable_index, 0\n"
#include "reex/runtime/descriptors/cancellation_points.def"
);
#undef REEX_CANCELLATION_POINT
