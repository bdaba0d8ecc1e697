// Waits for several descriptors: poll, select, epoll and their variants. Timeouts use virtual time.
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/descriptors/channels.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/descriptors/message_queues.h"
#include "reex/runtime/descriptors/outside.h"
#include "reex/runtime/descriptors/signal_descriptors.h"
#include "reex/runtime/descriptors/timer_descriptors.h"
#include "reex/runtime/descriptors/untouched.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/real_time.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"

namespace reex {
namespace {

constexpr std::uint64_t k_second = 1000000000;
constexpr std::uint64_t k_at_once = 0; // the deadline of a call that does not wait

std::uint64_t after_milliseconds(long wait) {
  const int milliseconds = static_cast<int>(wait); // the upper half of the register is undefined
  if (milliseconds < 0) return k_never;
  return milliseconds == 0 ? k_at_once : g_time.now + static_cast<std::uint64_t>(milliseconds) * 1000000;
}

// `address`: of a timespec or a timeval; both are two words.
std::uint64_t after_time(long address, std::uint64_t unit) {
  constexpr long k_longest = 1L << 32;
  if (address == 0) return k_never;
  long words[2];
  memcpy(words, reinterpret_cast<const void*>(address), sizeof words);
  if (words[0] > k_longest) return k_never;
  const std::uint64_t length =
      static_cast<std::uint64_t>(words[0]) * k_second + static_cast<std::uint64_t>(words[1]) * unit;
  return length == 0 ? k_at_once : g_time.now + length;
}

std::uint64_t deadline_of_call(const SystemCall& call) {
  const long* a = call.argument;
  switch (call.number) {
  case SYS_poll:
    return after_milliseconds(a[2]);
  case SYS_ppoll:
    return after_time(a[2], 1);
  case SYS_select:
    return after_time(a[4], 1000);
  case SYS_pselect6:
    return after_time(a[4], 1);
  case SYS_epoll_pwait2:
    return after_time(a[3], 1);
  default:
    return after_milliseconds(a[3]);
  }
}

// The place of the signal mask among the arguments; 0: the call has none.
unsigned place_of_mask(long number) {
  switch (number) {
  case SYS_ppoll:
    return 3;
  case SYS_pselect6:
    return 5;
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2:
    return 4;
  default:
    return 0;
  }
}

// The mask that the call asks for; null: none.
const sigset_t* mask_of(const SystemCall& call) {
  const unsigned place = place_of_mask(call.number);
  if (place == 0 || call.argument[place] == 0) return nullptr;
  if (call.number != SYS_pselect6) return reinterpret_cast<const sigset_t*>(call.argument[place]);
  return *reinterpret_cast<const sigset_t* const*>(call.argument[place]); // with its size behind it
}

// In its scope the thread has another signal mask.
class OtherMask {
public:
  explicit OtherMask(const sigset_t* mask) : m_used(mask != nullptr), m_before(g.current->own.blocked) {
    if (!m_used) return;
    g.current->own.blocked = set_of(*mask) & ~k_never_blocked;
    g.current->own.let_in = m_before & ~g.current->own.blocked;
  }
  ~OtherMask() {
    if (!m_used) return;
    g.current->own.let_in = 0;
    g.current->own.blocked = m_before;
    deliver_own_signals();
  }
  OtherMask(const OtherMask&) = delete;
  OtherMask& operator=(const OtherMask&) = delete;

private:
  bool m_used;
  SignalSet m_before;
};

// Makes the call with a timeout of zero.
long ask(const SystemCall& call) {
  tell_signal_descriptors(*g.current);
  timespec none{};
  SystemCall asking = call;
  if (const unsigned place = place_of_mask(call.number); place != 0) asking.argument[place] = 0;
  switch (call.number) {
  case SYS_poll:
    asking.argument[2] = 0;
    break;
  case SYS_ppoll:
    asking.argument[2] = as_long(&none);
    break;
  case SYS_select: // zero is the same in both; the call itself would write the remaining time back
  case SYS_pselect6:
    asking.argument[4] = as_long(&none);
    break;
  case SYS_epoll_pwait2:
    asking.argument[3] = as_long(&none);
    break;
  default:
    asking.argument[3] = 0;
    break;
  }
  return make_kept(asking);
}

bool waits_for_time_alone(const SystemCall& call) {
  const long* a = call.argument;
  if (call.number == SYS_poll || call.number == SYS_ppoll) return a[1] == 0;
  if (call.number == SYS_select || call.number == SYS_pselect6)
    return a[0] == 0 || (a[1] == 0 && a[2] == 0 && a[3] == 0);
  return false;
}

// The descriptor of the call; null if there are several.
void* object_of(const SystemCall& call) {
  const long* a = call.argument;
  if (call.number == SYS_poll || call.number == SYS_ppoll)
    return a[1] == 1 ? label_of(reinterpret_cast<const pollfd*>(a[0])->fd) : nullptr;
  if (call.number == SYS_select || call.number == SYS_pselect6) return nullptr;
  return label_of(static_cast<int>(a[0]));
}

bool select_ready(const SystemCall& call) {
  constexpr long k_most = 8 * 1024; // descriptors; the sets consist of words
  long sets[3][k_most / 64];
  const long* a = call.argument;
  if (a[0] < 0 || a[0] > k_most) return true; // the kernel answers at once
  const std::size_t size = static_cast<std::size_t>((a[0] + 63) / 64) * 8;
  long arguments[3];
  for (int i = 0; i < 3; ++i) {
    arguments[i] = a[i + 1] == 0 ? 0 : as_long(sets[i]);
    if (a[i + 1] != 0) memcpy(sets[i], reinterpret_cast<const void*>(a[i + 1]), size);
  }
  timeval none{};
  return reex_kept_call(SYS_select, a[0], arguments[0], arguments[1], arguments[2], as_long(&none)) != 0;
}

void write_back_time(const SystemCall& call, std::uint64_t deadline) {
  if (call.number != SYS_select || deadline == k_never || deadline == k_at_once) return;
  const std::uint64_t left = deadline > g_time.now ? deadline - g_time.now : 0;
  auto& time = *reinterpret_cast<timeval*>(call.argument[4]);
  time = {static_cast<time_t>(left / k_second), static_cast<suseconds_t>(left % k_second / 1000)};
}

bool ready(const SystemCall& call) {
  switch (call.number) {
  case SYS_poll:
  case SYS_ppoll:
    return reex_kept_call(SYS_poll, call.argument[0], call.argument[1], 0) != 0;
  case SYS_select:
  case SYS_pselect6:
    return select_ready(call);
  default: // the call itself would consume edges
    return is_ready(static_cast<int>(call.argument[0]), POLLIN);
  }
}

// The time that a call gives as two words: whether the call takes it. The kernel normalizes the microseconds
// of select.
bool is_good_time(long address, bool nanoseconds) {
  if (address == 0) return true;
  long words[2];
  memcpy(words, reinterpret_cast<const void*>(address), sizeof words);
  return words[0] >= 0 && words[1] >= 0 && (!nanoseconds || words[1] < static_cast<long>(k_second));
}

// They are the runtime's own. The kernel does not know them.
void stay_off_message_queues(const SystemCall& call) {
  const auto* asked = reinterpret_cast<const pollfd*>(call.argument[0]);
  for (long i = 0; asked != nullptr && i < call.argument[1]; ++i)
    if (is_message_queue(asked[i].fd)) refuse("poll on a message queue");
}

// A call that fails at once although it would wait: -errno; 0: it does not fail so. (Other errors of poll and
// select make the call ready, and the kernel then tells.)
long error_of(const SystemCall& call) {
  constexpr long k_most_events = 0x7fffffff / static_cast<long>(sizeof(epoll_event));
  const long* a = call.argument;
  switch (call.number) {
  case SYS_select:
  case SYS_pselect6:
    return static_cast<int>(a[0]) < 0 || !is_good_time(a[4], call.number == SYS_pselect6) ? -EINVAL : 0;
  case SYS_poll:
    stay_off_message_queues(call);
    return 0;
  case SYS_ppoll:
    stay_off_message_queues(call);
    return is_good_time(a[2], true) ? 0 : -EINVAL;
  default:
    break;
  }
  const int epoll = static_cast<int>(a[0]);
  const auto most = static_cast<int>(a[2]);
  if (call.number == SYS_epoll_pwait2 && !is_good_time(a[3], true)) return -EINVAL;
  if (most <= 0 || most > k_most_events) return -EINVAL;
  struct stat found {};
  if (raw_syscall(SYS_fstat, epoll, as_long(&found)) < 0) return -EBADF;
  return is_anonymous(epoll, "[eventpoll]") ? 0 : -EINVAL;
}

bool is_poll(long number) {
  switch (number) {
  case SYS_poll:
  case SYS_ppoll:
  case SYS_select:
  case SYS_pselect6:
  case SYS_epoll_wait:
  case SYS_epoll_pwait:
  case SYS_epoll_pwait2:
    return true;
  default:
    return false;
  }
}

void begin_with(const SystemCall& call, int descriptor) {
  note_look(descriptor);
  if (g.in_place && !is_kept(descriptor)) leave_restoring(call.number);
}

// Throws the execution away if the worker restores, and a restore does not put back one of the descriptors.
void begin_poll(const SystemCall& call) {
  const long* a = call.argument;
  if (call.number == SYS_poll || call.number == SYS_ppoll) {
    const auto* asked = reinterpret_cast<const pollfd*>(a[0]);
    for (long i = 0; i < a[1]; ++i)
      if (asked[i].fd >= 0) begin_with(call, asked[i].fd);
  } else if (call.number == SYS_select || call.number == SYS_pselect6) {
    for (int descriptor = 0; descriptor < a[0]; ++descriptor)
      for (int i = 1; i <= 3; ++i)
        if (a[i] != 0 && FD_ISSET(descriptor, reinterpret_cast<const fd_set*>(a[i])))
          begin_with(call, descriptor);
  } else {
    begin_with(call, static_cast<int>(a[0]));
  }
  fingerprint_dark(true); // the kernel says what is ready
}

// No descriptor ends the call.
long sleep_instead(const SystemCall& call, std::uint64_t deadline) {
  const OtherMask mask(mask_of(call));
  visible_pending(Operation::sleep, nullptr, call.pc, call.frame, deadline, 0);
  write_back_time(call, deadline);
  return g.current->pending.interrupted ? -EINTR : 0;
}

// A signal is pending that the call's own mask lets in: its handler runs. The kernel knows nothing of it, and
// would wait. Of a call that need not wait it stays pending.
bool interrupts_at_once(const SystemCall& call) {
  const sigset_t* asked = mask_of(call);
  if (asked == nullptr || (pending_for(*g.current) & ~set_of(*asked)) == 0) return false;
  if (error_of(call) != 0 || ready(call)) return false;
  const OtherMask mask(asked);
  deliver_own_signals();
  return true;
}

// Timers send their signals in virtual time, of which the kernel knows nothing. Until the next one does,
// another process may make a descriptor ready in real time. False: nothing of both has ended the call.
bool ends_before_timers(const SystemCall& call, std::uint64_t deadline, long& answer) {
  constexpr std::uint64_t k_look = 1000000;
  for (std::uint64_t next = next_timer(); next < deadline; next = next_timer()) {
    const std::uint64_t end = real_now() + (next > g_time.now ? next - g_time.now : 0);
    while ((answer = ask(call)) == 0 && real_now() < end) pause_really(k_look);
    if (answer == 0) answer = sleep_instead(call, next + 1); // the signal comes before its end
    if (answer != 0) return true;
  }
  return false;
}

} // namespace

bool poll_ready(const Pending& pending) {
  return pending.value == 0 || ask_after_change(pending, [&] {
           return ready(*reinterpret_cast<const SystemCall*>(pending.value & ~k_late));
         });
}

void expire_timers_for(const SystemCall& call) {
  if (call.number == SYS_read)
    expire_for(static_cast<int>(call.argument[0]));
  else if (is_poll(call.number) && !waits_for_time_alone(call) && deadline_of_call(call) != k_at_once &&
           !ready(call))
    expire_before(deadline_of_call(call));
}

bool poll_before_threads(const SystemCall& call, long& answer) {
  if (!is_poll(call.number)) return false;
  tell_signal_descriptors(*g.current);
  const std::uint64_t deadline = deadline_of_call(call);
  if (deadline != k_at_once && interrupts_at_once(call)) {
    answer = -EINTR;
    return true;
  }
  if (deadline == k_at_once) return false;
  if (error_of(call) != 0) return false; // the kernel says so
  if (waits_for_time_alone(call) && deadline != k_never) {
    answer = sleep_instead(call, deadline);
    return true;
  }
  if (ends_before_timers(call, deadline, answer)) return true;
  if (deadline == k_never) return false;
  expire_timers_for(call);
  answer = make(call);
  if (answer == 0 && deadline > g_time.now) jump_time(deadline);
  return true;
}

bool poll_call(const SystemCall& call, long& answer) {
  if (!is_poll(call.number)) return false;
  const std::uint64_t deadline = deadline_of_call(call);
  if ((answer = error_of(call)) != 0) {
    reach_cancellation_point(call.pc, call.frame);
    return true;
  }
  if (waits_for_time_alone(call) && deadline != k_at_once) {
    answer = sleep_instead(call, deadline);
    return true;
  }
  const OtherMask mask(mask_of(call));
  begin_poll(call);
  const bool waits = deadline != k_at_once;
  const bool late = waits && is_up_to_children([&] {
                      tell_signal_descriptors(*g.current);
                      return ready(call);
                    });
  visible_pending(Operation::poll, object_of(call), call.pc, call.frame, waits ? deadline : k_never,
                  (waits ? reinterpret_cast<std::uint64_t>(&call) : 0) | (late ? k_late : 0));
  // If several threads wait for one edge, the first one receives it, and the others continue to wait.
  while ((answer = ask(call)) == 0 && waits && !g.current->pending.timed_out) {
    if (g.current->pending.interrupted) {
      answer = -EINTR;
      break;
    }
    wait_until(Operation::poll, g.current->pending.object, deadline);
    testcancel_here();
  }
  write_back_time(call, deadline);
  if (answer > 0) channel_received();
  note_read(object_of(call), static_cast<std::uint64_t>(answer));
  return true;
}

bool poll_alone(const SystemCall& call, long& answer) {
  if (!is_poll(call.number) || mask_of(call) != nullptr) return false;
  catch_up_with_time();
  const std::uint64_t deadline = deadline_of_call(call);
  if (deadline == k_at_once || error_of(call) != 0) return false;
  visible_pending(Operation::poll, object_of(call), call.pc, call.frame, deadline,
                  reinterpret_cast<std::uint64_t>(&call));
  while ((answer = ask(call)) == 0 && !g.current->pending.timed_out)
    wait_until(Operation::poll, g.current->pending.object, deadline);
  write_back_time(call, deadline);
  return true;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  return static_cast<int>(
      REEX_CANCELLABLE_CALL(SYS_poll, as_long(descriptors), static_cast<long>(count), timeout));
}

REEX_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t) {
  return static_cast<int>(
      REEX_CANCELLABLE_CALL(SYS_poll, as_long(descriptors), static_cast<long>(count), timeout));
}

namespace {
constexpr long k_signal_set = 8; // size of the kernel's signal set in bytes
}

REEX_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_ppoll, as_long(descriptors), static_cast<long>(count),
                                                as_long(timeout), as_long(mask), k_signal_set));
}

REEX_EXPORT int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask,
                            std::size_t) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_ppoll, as_long(descriptors), static_cast<long>(count),
                                                as_long(timeout), as_long(mask), k_signal_set));
}

REEX_EXPORT int select(int count, fd_set* __restrict reads, fd_set* __restrict writes,
                       fd_set* __restrict exceptions, timeval* __restrict timeout) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_select, count, as_long(reads), as_long(writes),
                                                as_long(exceptions), as_long(timeout)));
}

REEX_EXPORT int pselect(int count, fd_set* __restrict reads, fd_set* __restrict writes,
                        fd_set* __restrict exceptions, const timespec* __restrict timeout,
                        const sigset_t* __restrict mask) {
  const long signals[] = {as_long(mask), k_signal_set};
  timespec own{}; // the kernel writes the remaining time back, which this function must not do
  if (timeout != nullptr) own = *timeout;
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_pselect6, count, as_long(reads), as_long(writes),
                                                as_long(exceptions), timeout == nullptr ? 0 : as_long(&own),
                                                as_long(signals)));
}

REEX_EXPORT int epoll_ctl(int epoll, int what, int descriptor, epoll_event* event) noexcept {
  return static_cast<int>(REEX_CALL(SYS_epoll_ctl, epoll, what, descriptor, as_long(event)));
}

REEX_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_epoll_wait, epoll, as_long(events), most, timeout));
}

REEX_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_epoll_pwait, epoll, as_long(events), most, timeout,
                                                as_long(mask), k_signal_set));
}

REEX_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                             const sigset_t* mask) {
  return static_cast<int>(REEX_CANCELLABLE_CALL(SYS_epoll_pwait2, epoll, as_long(events), most,
                                                as_long(timeout), as_long(mask), k_signal_set));
}
