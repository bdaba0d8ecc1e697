#include "reex/runtime/descriptors/signal_descriptors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/signals/signals.h"

namespace reex {

unsigned g_signal_descriptors = 0;

namespace {

constexpr unsigned k_most = 64;

struct SignalDescriptor {
  int descriptor = -1;
  SignalSet set = 0;
  bool has_count = false;
};
constinit SignalDescriptor g_table[k_most]; // valid before any constructor runs
SignalDescriptor g_table_at_start[k_most];
unsigned g_count_at_start = 0;

SignalDescriptor* find(int descriptor) {
  for (SignalDescriptor& each : g_table)
    if (each.descriptor == descriptor) return &each;
  return nullptr;
}

void count_once(const SignalDescriptor& one) {
  const std::uint64_t count = 1;
  reex_kept_call(SYS_write, one.descriptor, as_long(&count), sizeof count);
  note_channel_change();
}

void take_count(const SignalDescriptor& one) {
  std::uint64_t count = 0;
  if (is_ready(one.descriptor, POLLIN))
    reex_kept_call(SYS_read, one.descriptor, as_long(&count), sizeof count);
  note_channel_change();
}

// As the kernel fills it in (fs/signalfd.c): what the signal's code says is there.
signalfd_siginfo told_of(const siginfo_t& details) {
  signalfd_siginfo told{};
  told.ssi_signo = static_cast<std::uint32_t>(details.si_signo);
  told.ssi_errno = details.si_errno;
  told.ssi_code = details.si_code;
  if (details.si_code == SI_TIMER) {
    told.ssi_tid = static_cast<std::uint32_t>(details.si_timerid);
    told.ssi_overrun = static_cast<std::uint32_t>(details.si_overrun);
  } else {
    told.ssi_pid = static_cast<std::uint32_t>(details.si_pid);
    told.ssi_uid = details.si_uid;
  }
  if (details.si_signo == SIGCHLD && details.si_code > 0) told.ssi_status = details.si_status;
  if (details.si_code < 0) {
    told.ssi_int = details.si_value.sival_int;
    told.ssi_ptr = reinterpret_cast<std::uint64_t>(details.si_value.sival_ptr);
  }
  return told;
}

} // namespace

void bring_up_to_date(const Fiber& asking) {
  if (g.forked_off) return;
  if (is_told_by_descriptor(SIGCHLD)) admit_signals();
  const SignalSet pending = pending_for(asking);
  for (SignalDescriptor& each : g_table) {
    const bool has = each.descriptor >= 0 && (pending & each.set) != 0;
    if (each.has_count == has) continue;
    each.has_count = has;
    if (has)
      count_once(each);
    else
      take_count(each);
  }
}

bool is_signal_descriptor(int descriptor) {
  return g_signal_descriptors != 0 && descriptor >= 0 && find(descriptor) != nullptr;
}

bool is_told_by_descriptor(int number) {
  return g_signal_descriptors != 0 &&
         std::any_of(std::begin(g_table), std::end(g_table),
                     [number](const SignalDescriptor& each) { return (each.set & bit_of(number)) != 0; });
}

void told_by_descriptor(int number) {
  if (g_signal_descriptors == 0 || g.forked_off) return;
  for (const SignalDescriptor& each : g_table)
    if ((each.set & bit_of(number)) != 0 && each.has_count) count_once(each);
}

void sent_to_descriptor() { channel_sent(); }

void refuse_unknown_uses(const SystemCall& call) {
  if (g.forked_off) return;
  const auto is_one = [&call] { return is_signal_descriptor(static_cast<int>(call.argument[0])); };
  switch (call.number) {
  case SYS_readv:
    if (is_one()) refuse("readv of a descriptor of signalfd");
    return;
  case SYS_fcntl:
    if (call.argument[1] != F_DUPFD && call.argument[1] != F_DUPFD_CLOEXEC) return;
    [[fallthrough]];
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
    if (is_one()) refuse("a copy of a descriptor of signalfd");
    return;
  default:
    return;
  }
}

long read_signals(const SystemCall& call) {
  const SignalDescriptor* from = find(static_cast<int>(call.argument[0]));
  auto* to = reinterpret_cast<char*>(call.argument[1]);
  const long room = call.argument[2] / static_cast<long>(sizeof(signalfd_siginfo));
  if (room <= 0) return -EINVAL;
  long read = 0;
  for (siginfo_t details; read < room && take_signal(*g.current, from->set, details) != 0; ++read) {
    const signalfd_siginfo told = told_of(details);
    memcpy(to + read * static_cast<long>(sizeof told), &told, sizeof told);
  }
  tell_signal_descriptors(*g.current);
  return read == 0 ? -EAGAIN : read * static_cast<long>(sizeof(signalfd_siginfo));
}

void forget_signals(int descriptor) {
  if (!is_signal_descriptor(descriptor)) return;
  *find(descriptor) = {};
  --g_signal_descriptors;
}

void hand_over_signal_descriptors() {
  for (SignalDescriptor& each : g_table) {
    if (each.descriptor < 0) continue;
    const long flags = raw_syscall(SYS_fcntl, each.descriptor, F_GETFL);
    const bool closes = (raw_syscall(SYS_fcntl, each.descriptor, F_GETFD) & FD_CLOEXEC) != 0;
    const long own =
        raw_syscall(SYS_signalfd4, -1, as_long(&each.set), sizeof each.set, flags & SFD_NONBLOCK);
    if (own >= 0) {
      raw_syscall(SYS_dup3, own, each.descriptor, closes ? O_CLOEXEC : 0);
      raw_syscall(SYS_close, own);
    }
    each.has_count = false;
  }
}

void snapshot_signal_descriptors() {
  std::copy(std::begin(g_table), std::end(g_table), g_table_at_start);
  g_count_at_start = g_signal_descriptors;
}

void restore_signal_descriptors() {
  std::copy(std::begin(g_table_at_start), std::end(g_table_at_start), g_table);
  g_signal_descriptors = g_count_at_start;
}

} // namespace reex

using namespace reex;

namespace {

int error_of(int descriptor, const SignalDescriptor* one, int flags) {
  if ((flags & ~(SFD_NONBLOCK | SFD_CLOEXEC)) != 0) return EINVAL;
  if (one != nullptr || descriptor == -1) return 0;
  return raw_syscall(SYS_fcntl, descriptor, F_GETFD) < 0 ? EBADF : EINVAL;
}

} // namespace

REEX_EXPORT int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  reads_buffer(set, sizeof(SignalSet), REEX_CALLER);
  const SignalSet asked = set_of(*set) & ~k_never_blocked;
  if (g.active) {
    if (descriptor != -1) begin_channel_call(SYS_signalfd4, descriptor);
    REEX_POINT(Operation::signal_setup, nullptr);
  }
  SignalDescriptor* one = find(descriptor);
  if (const int error = error_of(descriptor, one, flags); error != 0) {
    errno = error;
    return -1;
  }
  if (descriptor == -1) {
    static_assert(int{SFD_NONBLOCK} == int{EFD_NONBLOCK} && int{SFD_CLOEXEC} == int{EFD_CLOEXEC});
    const long made = g.forked_off ? raw_syscall(SYS_signalfd4, -1, as_long(&asked), sizeof asked, flags)
                                   : make_descriptors({SYS_eventfd2, {0, flags}, REEX_CALLER, REEX_FRAME});
    if (made < 0) return static_cast<int>(as_result(made));
    one = find(-1); // only now: before it was made, others may make theirs
    if (one == nullptr) refuse("more than 64 descriptors of signals at once");
    *one = {.descriptor = static_cast<int>(made)};
    ++g_signal_descriptors;
  } else if (g.forked_off) {
    raw_syscall(SYS_signalfd4, descriptor, as_long(&asked), sizeof asked, 0);
  }
  one->set = asked;
  if (g.active) channel_sent();
  return one->descriptor;
}
