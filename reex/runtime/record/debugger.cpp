#include "reex/runtime/record/debugger.h"

#include <ctime>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"

// reex_gdb.py sets a breakpoint here.
extern "C" __attribute__((noinline, used)) void reex_at_failure() { asm volatile(""); }

namespace reex {

void wait_for_debugger() {
  std::atomic<Debugger>& debugger = g.control->debugger;
  if (debugger.load() != Debugger::wanted) return;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); // the debugger is not a parent of this process
  debugger.store(Debugger::waited_for);
  ring_doorbell();
  const timespec pause{0, 10'000'000};
  while (debugger.load() == Debugger::waited_for)
    raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&pause), 0);
}

void stop_for_debugger() {
  if (g.control->debugger.load() == Debugger::attached) reex_at_failure();
}

} // namespace reex
