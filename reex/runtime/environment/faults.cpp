// g_taken and g_next are variables of the process: set when it begins, or when the test sets an action.
#include "reex/runtime/environment/faults.h"

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/kernel_action.h"
#include "reex/runtime/environment/time_stamp_counter.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

bool g_taken = false;
struct sigaction g_next {}; // what SIGSEGV does otherwise

void on_fault(int number, siginfo_t* details, void* context) {
  if (read_time_stamp(*details, context) || wake_code(*details, context)) return;
  end_walk_at_fault();
  const struct sigaction action = g_next;
  const bool by_default = action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN;
  if (by_default || (action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) g_next.sa_handler = SIG_DFL;
  if (by_default) { // it occurs again
    set_kernel_action(number, g_next);
    if (details->si_code <= 0)
      raw_syscall(SYS_tkill, raw_syscall(SYS_gettid), number); // somebody has sent it
  } else if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, details, context);
  } else {
    action.sa_handler(number);
  }
}

} // namespace

void take_faults() {
  struct sigaction before {};
  libc().sigaction(SIGSEGV, nullptr, &before);
  g_taken = true;
  set_fault_action(SIGSEGV, before);
}

void leave_faults() { g_taken = false; }

int set_fault_action(int number, const struct sigaction& action) {
  if (number != SIGSEGV || !g_taken) return set_kernel_action(number, action);
  struct sigaction ours = action;
  ours.sa_sigaction = on_fault;
  ours.sa_flags = (action.sa_flags & ~static_cast<int>(SA_RESETHAND)) | SA_SIGINFO | SA_NODEFER;
  const int result = set_kernel_action(number, ours);
  if (result == 0) g_next = action;
  return result;
}

struct sigaction fault_action(int number) {
  struct sigaction action {};
  if (number == SIGSEGV && g_taken) return g_next;
  libc().sigaction(number, nullptr, &action);
  return action;
}

} // namespace reex
