#include "reex/runtime/environment/kernel_action.h"

#include <cerrno>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

// As the kernel has it.
struct KernelAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(); // libc's way back from a handler
  unsigned long blocked;
};
constexpr unsigned long k_has_restorer = 0x04000000;

} // namespace

int set_kernel_action(int number, const struct sigaction& action) {
  KernelAction known{};
  if (g.in_place) raw_syscall(SYS_rt_sigaction, SIGSYS, 0, as_long(&known), sizeof known.blocked);
  if (known.restorer == nullptr) return libc().sigaction(number, &action, nullptr); // there is no filter
  const KernelAction wanted{action.sa_handler, static_cast<unsigned>(action.sa_flags) | k_has_restorer,
                            known.restorer, action.sa_mask.__val[0]};
  const long result = reex_kept_call(SYS_rt_sigaction, number, as_long(&wanted), 0, sizeof wanted.blocked);
  if (result == 0) return 0;
  errno = static_cast<int>(-result);
  return -1;
}

} // namespace reex
