// A restore leaves these variables alone, as it does the pages' protection.
#include "reex/runtime/order/dormant_code.h"

#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/new_code.h"
#include "reex/runtime/order/promoted.h"
#include "reex/runtime/order/race.h"

namespace reex {

bool g_code_was_visited = false;

namespace {

enum class Sleep : std::uint8_t { awake, asleep, visited, entered };
Sleep g_sleep[k_dormant_code]; // of Status::dormant_code

bool protect(const DormantCode& code, int rights) {
  return reex_kept_call(SYS_mprotect, static_cast<long>(code.low), static_cast<long>(code.high - code.low),
                        rights) == 0;
}

void let_in(unsigned index, Sleep now) {
  if (!protect(g.control->status.dormant_code[index], PROT_READ | PROT_EXEC))
    refuse("a filter of system calls of its own that forbids mprotect");
  g_sleep[index] = now;
}

} // namespace

void put_code_to_sleep() {
  Status& status = g.control->status;
  g_code_was_visited = false;
  for (unsigned i = 0; i < status.dormant_code_count; ++i) {
    if (g_sleep[i] == Sleep::asleep || (g_sleep[i] == Sleep::entered && g.code_entered)) continue;
    const bool shall_sleep = g_instrumented && !g.control->config.code_is_entered;
    if (!shall_sleep || !protect(status.dormant_code[i], PROT_READ)) {
      wake_all_code();
      return;
    }
    g_sleep[i] = Sleep::asleep;
  }
}

bool wake_code(const siginfo_t& details, const void* context) {
  const auto* const registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  Status& status = g.control->status;
  for (unsigned i = 0; i < status.dormant_code_count; ++i) {
    DormantCode& code = status.dormant_code[i];
    if (g_sleep[i] != Sleep::asleep || pc < code.low || pc >= code.high || details.si_code != SEGV_ACCERR)
      continue;
    if (g.live < 2) {
      g_code_was_visited = true;
      let_in(i, Sleep::visited);
    } else {
      code.settled = code.settled || g_code_is_entered;
      code.entered = true;
      g.code_entered = true;
      code_was_entered();
      let_in(i, Sleep::entered);
    }
    return true;
  }
  return false;
}

void wake_settled_code() {
  const Status& status = g.control->status;
  for (unsigned i = 0; i < status.dormant_code_count; ++i)
    if (g_sleep[i] == Sleep::asleep && status.dormant_code[i].settled) let_in(i, Sleep::entered);
}

void wake_all_code() {
  Status& status = g.control->status;
  for (unsigned i = 0; i < status.dormant_code_count; ++i) {
    if (g_sleep[i] == Sleep::asleep) let_in(i, Sleep::awake);
    if (!g.forked_off) status.dormant_code[i].entered = true;
  }
  if (g.forked_off) return;
  status.dormant_code_count = 0;
  status.unseen_code = true;
}

} // namespace reex
