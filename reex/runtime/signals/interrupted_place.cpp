#include "reex/runtime/signals/interrupted_place.h"

#include "reex/runtime/machine/modules.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

// How the unwinder numbers the registers that calls keep.
struct Kept {
  int unwinder;
  int place;
};
constexpr Kept k_kept[] = {{3, REG_RBX},  {6, REG_RBP},  {12, REG_R12},
                           {13, REG_R13}, {14, REG_R14}, {15, REG_R15}};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* argument) {
  const std::uint64_t pc = _Unwind_GetIP(frame);
  if (pc == 0) return _URC_END_OF_STACK;
  if (in_runtime(pc)) return _URC_NO_REASON;
  auto& registers = *static_cast<gregset_t*>(argument);
  registers[REG_RIP] = static_cast<greg_t>(pc);
  registers[REG_RSP] = static_cast<greg_t>(_Unwind_GetCFA(frame));
  for (const Kept& kept : k_kept)
    registers[kept.place] = static_cast<greg_t>(_Unwind_GetGR(frame, kept.unwinder));
  return _URC_NORMAL_STOP;
}

} // namespace

void describe_interrupted_place(ucontext_t& context) {
  context = {};
  context.uc_mcontext.fpregs = &context.__fpregs_mem;
  walk_frames(visit, &context.uc_mcontext.gregs);
}

} // namespace reex
