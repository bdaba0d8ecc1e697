#include "reex/runtime/order/new_code.h"

#include <algorithm>
#include <linux/futex.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/dormant_code.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/promoted.h"

namespace reex {

bool g_code_comes = false;

namespace {

bool g_loader_was_called = false;

// A worker that dies in between leaves a question that is answered to nobody.
void ask_parent() {
  Status& status = g.control->status;
  const std::uint32_t wanted = status.modules_wanted.load() + 1;
  status.modules_wanted.store(wanted);
  ring_doorbell();
  for (std::uint32_t known = status.modules_known.load(); known != wanted;
       known = status.modules_known.load())
    raw_syscall(SYS_futex, as_long(&status.modules_known), FUTEX_WAIT, known, 0);
}

// Every execution of fork mode loads the code once more. Beyond what can be kept, the parent is asked again.
bool is_known_code(std::uint64_t digest) {
  const Status& status = g.control->status;
  const std::uint64_t* const end = status.known_code + status.known_code_count;
  return std::find(status.known_code, end, digest) != end;
}

void remember_code(std::uint64_t digest) {
  Status& status = g.control->status;
  if (status.known_code_count < k_known_code) status.known_code[status.known_code_count++] = digest;
}

void take_in_loaded() {
  g_loader_was_called = false;
  find_modules();
  if (const std::uint64_t digest = code_digest(); !is_known_code(digest)) {
    ask_parent();
    remember_code(digest);
  }
  // Who loads a library starts its initializers, and those who load it too wait for them in the loader: not
  // all of that is in the threads' histories.
  const bool unseen = opaque_code_came() || code_is_unseen_for_good();
  if (unseen || (g.in_place && code_came())) stop_fingerprinting(unseen);
}

} // namespace

void code_comes() { g_code_comes = g_loader_was_called = true; }

void code_was_entered() { g_code_comes = true; }

void take_in_code() {
  g_code_comes = false;
  if (g_loader_was_called) take_in_loaded();
  if (!g.code_entered || g_code_is_entered) return;
  if (g.control->ending.end == End::running && promote_before_all(k_code_is_entered))
    throw_away(End::impatient, "");
  report_code_entered();
}

void tell_first_code() {
  g_code_comes = g_loader_was_called = false;
  ask_parent();
  remember_code(code_digest());
  put_code_to_sleep();
}

} // namespace reex
