// The zygote fills the list; a worker changes only the marks `waited_for`.
#include "reex/runtime/processes/early_children.h"

#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr unsigned k_most = 64;
EarlyChild g_children[k_most];
unsigned g_count = 0;
pid_t g_own_group = 0;

bool fits(const EarlyChild& child, int kind, long id) {
  if (kind == P_PID) return child.told.si_pid == id;
  if (kind == P_PGID) return child.group == (id == 0 ? g_own_group : id);
  return kind == P_ALL;
}

} // namespace

void remember_early_children() {
  is_up_to_children([] { return false; });
  g_own_group = static_cast<pid_t>(raw_syscall(SYS_getpgid, 0));
  while (g_count < k_most) {
    EarlyChild& child = g_children[g_count];
    child = {};
    if (raw_syscall(SYS_waitid, P_ALL, 0, as_long(&child.told), WEXITED | WNOHANG | WNOWAIT, 0) != 0 ||
        child.told.si_pid == 0)
      return;
    child.group = static_cast<pid_t>(raw_syscall(SYS_getpgid, child.told.si_pid));
    raw_syscall(SYS_wait4, child.told.si_pid, as_long(&child.status), 0, as_long(&child.usage));
    ++g_count;
  }
}

EarlyChild* early_child(int kind, long id) {
  for (unsigned i = 0; i < g_count; ++i)
    if (!g_children[i].waited_for && fits(g_children[i], kind, id)) return &g_children[i];
  return nullptr;
}

void forget_early_waits() {
  for (unsigned i = 0; i < g_count; ++i) g_children[i].waited_for = false;
}

} // namespace reex
