// The variables: snapshot_timers saves them, restore_timers brings them back.
#include <cerrno>
#include <cstring>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"

namespace reex {
namespace {

constexpr unsigned k_timers = 64;
constexpr unsigned k_interval_timers = 3; // ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF: the first timers
constexpr int k_interval_signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
constexpr std::uint64_t k_microsecond = 1000;
constexpr std::uint64_t k_second = 1000000000;

struct Timer {
  bool used = false;
  int number = 0;  // signal; 0: the timer informs nobody
  int thread = -1; // -1: the process
  clockid_t clock = CLOCK_MONOTONIC;
  std::uint64_t deadline = k_never;
  std::uint64_t interval = 0;
  int overrun = 0; // of the last signal
  int missed = 0;  // expirations since then, while the signal was pending
  sigval value{};
  bool is_told = false; // that it tells the time (note_if_it_tells)
  bool starts_thread = false;
  sigevent event{};            // if it does
  pthread_attr_t attributes{}; // of that event
};

struct Timers {
  Timer timer[k_timers];
  unsigned end = 0;     // all timers in use lie below
  unsigned starter = 0; // thread that starts threads for timers; 0: none
};

Timers g_timers;
Timers g_snapshot;

// A thread waits for the signal, or no thread that could take it would: then one may come to wait for it. One
// thread alone that blocks it, as threads of libraries block all signals, keeps nothing from ending the
// process.
bool is_expected(const Timer& timer) {
  bool blocked = true;
  for (const Fiber* fiber : alive()) {
    if ((fiber->own.waited & bit_of(timer.number)) != 0) return true;
    const bool may_take = timer.thread < 0 || timer.thread == fiber->id;
    if (may_take && (fiber->own.blocked & bit_of(timer.number)) == 0) blocked = false;
  }
  return blocked;
}

// Its signal would end the process.
bool is_watchdog(const Timer& timer) {
  return timer.number != 0 && action_of(timer.number).sa_handler == SIG_DFL && !is_expected(timer);
}

// The test learns from it that time has passed.
void note_if_it_tells(Timer& timer, const void* place) {
  if (timer.is_told || timer.number == 0) return;
  timer.is_told = action_of(timer.number).sa_handler != SIG_IGN && !is_watchdog(timer);
  if (timer.is_told) note_clock_reading(place);
}

// It counts the processor time of a thread that cannot run, or of the process while no thread can.
bool stands(const Timer& timer) {
  if (!counts_processor_time(timer.clock) || is_of_other_process(timer.clock)) return false;
  if (const Fiber* thread = thread_of(timer.clock); thread != nullptr) return !is_enabled(*thread, false);
  for (const Fiber* fiber : alive())
    if (is_enabled(*fiber, false)) return false;
  return true;
}

// Nothing depends on the timer: its signal is pending already, or ignored, or would only end the process.
// Virtual time does not advance for it. So a test that is guarded by alarm() and hangs is a deadlock.
bool is_idle(const Timer& timer) {
  if (timer.number == 0 || action_of(timer.number).sa_handler == SIG_IGN) return true;
  if (is_watchdog(timer) || stands(timer)) return true;
  if (timer.thread >= 0) {
    const Fiber* receiver = live_thread(static_cast<unsigned>(timer.thread));
    return receiver == nullptr || (receiver->own.pending & bit_of(timer.number)) != 0;
  }
  for (const Fiber* fiber : alive())
    if ((pending_for(*fiber) & bit_of(timer.number)) != 0) return true;
  return false;
}

void fire(Timer& timer) {
  if (timer.interval == 0) {
    timer.deadline = k_never;
    timer.overrun = 0;
  } else {
    const std::uint64_t missed = (g_time.now - timer.deadline) / timer.interval;
    timer.overrun = static_cast<int>(missed);
    timer.deadline += (missed + 1) * timer.interval;
  }
  if (timer.number == 0) return;
  const auto index = &timer - g_timers.timer;
  if (index >= k_interval_timers && timer_signal_is_pending(static_cast<int>(index))) {
    ++timer.missed; // the signal of a timer is pending only once
    return;
  }
  timer.overrun += timer.missed;
  timer.missed = 0;
  siginfo_t details = details_from_test(timer.number, index < k_interval_timers ? SI_KERNEL : SI_TIMER);
  details.si_value = timer.value;
  if (index >= k_interval_timers) details.si_timerid = static_cast<int>(index);
  Fiber* receiver = timer.thread < 0 ? nullptr : live_thread(static_cast<unsigned>(timer.thread));
  if (timer.thread >= 0 && receiver == nullptr) return;
  const bool counts_processor = timer.number == SIGVTALRM || timer.number == SIGPROF;
  if (index < k_interval_timers && counts_processor && can_take(*g.current, timer.number))
    receiver = g.current; // as on Linux: whoever runs as the time is up
  if (receiver != nullptr) report_async_target(*receiver);
  send_signal(receiver, timer.number, details);
}

void arm(Timer& timer, std::uint64_t after, std::uint64_t interval, const void* place) {
  if (after != 0 && timer.number != 0) {
    release_to(&action_of(timer.number));
    timer.is_told = false;
    note_if_it_tells(timer, place);
  }
  timer.deadline = after == 0 ? k_never : deadline_after(after);
  timer.interval = interval;
  timer.overrun = 0;
  timer.missed = 0;
}

std::uint64_t remaining(const Timer& timer) {
  if (timer.deadline == k_never) return 0;
  return timer.deadline > g_time.now ? timer.deadline - g_time.now : 1;
}

Timer& interval_timer(int which) {
  Timer& timer = g_timers.timer[which];
  timer.used = true;
  timer.number = k_interval_signals[which];
  timer.thread = -1;
  timer.clock = which == ITIMER_REAL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  if (g_timers.end < k_interval_timers) g_timers.end = k_interval_timers;
  return timer;
}

std::uint64_t nanoseconds_of(const timeval& time) {
  return nanoseconds(timespec{time.tv_sec, time.tv_usec * static_cast<long>(k_microsecond)});
}

timeval timeval_of(std::uint64_t time) {
  const std::uint64_t up = time + k_microsecond - 1;
  return {static_cast<time_t>(up / k_second), static_cast<suseconds_t>(up % k_second / k_microsecond)};
}

timespec duration_of(std::uint64_t time) {
  return {static_cast<time_t>(time / k_second), static_cast<long>(time % k_second)};
}

Timer* find(timer_t id) {
  const auto index = reinterpret_cast<std::uintptr_t>(id);
  if (index < k_interval_timers || index >= g_timers.end || !g_timers.timer[index].used) {
    errno = EINVAL;
    return nullptr;
  }
  return &g_timers.timer[index];
}

itimerspec state_of(const Timer& timer) {
  return {duration_of(timer.interval), duration_of(remaining(timer))};
}

} // namespace

std::uint64_t next_timer() {
  std::uint64_t earliest = k_never;
  for (unsigned i = 0; i < g_timers.end; ++i)
    if (const Timer& timer = g_timers.timer[i]; timer.deadline < earliest && !is_idle(timer))
      earliest = timer.deadline;
  return earliest;
}

void fire_timers() {
  for (unsigned i = 0; i < g_timers.end; ++i)
    if (Timer& timer = g_timers.timer[i]; timer.deadline <= g_time.now) fire(timer);
}

void note_set_timers(const void* place) {
  for (unsigned i = 0; i < g_timers.end; ++i)
    if (Timer& timer = g_timers.timer[i]; timer.deadline != k_never) note_if_it_tells(timer, place);
}

void put_off_watchdogs(std::uint64_t by) {
  for (unsigned i = 0; i < g_timers.end; ++i)
    if (Timer& timer = g_timers.timer[i]; timer.deadline < k_never - by && is_watchdog(timer)) {
      timer.deadline += by;
      g_time.put_off += by;
    }
}

void put_off_processor_timers(std::uint64_t by) {
  for (unsigned i = 0; i < g_timers.end; ++i)
    if (Timer& timer = g_timers.timer[i]; timer.deadline < k_never - by && stands(timer))
      timer.deadline += by;
}

unsigned& starter_of_timers() { return g_timers.starter; }

const sigevent* event_of_timer(int timer) {
  Timer& wanted = g_timers.timer[timer];
  if (!wanted.used || !wanted.starts_thread) return nullptr;
  if (wanted.event.sigev_notify_attributes != nullptr)
    wanted.event.sigev_notify_attributes = &wanted.attributes;
  return &wanted.event;
}

void end_timers() {
  for (Timer& timer : g_timers.timer) timer = {};
  g_timers.end = g_timers.starter = 0;
}

void snapshot_timers() { g_snapshot = g_timers; }

void restore_timers() {
  if (g_timers.end != 0 || g_timers.starter != 0) g_timers = g_snapshot;
}

} // namespace reex

using namespace reex;

REEX_EXPORT int setitimer(__itimer_which_t which, const itimerval* wanted, itimerval* before) noexcept {
  const int index = static_cast<int>(which);
  if (index < 0 || index >= static_cast<int>(k_interval_timers)) {
    errno = EINVAL;
    return -1;
  }
  reads_object(wanted, REEX_CALLER);
  will_write_buffer(before, REEX_CALLER);
  Timer& timer = interval_timer(index);
  if (before != nullptr) *before = {timeval_of(timer.interval), timeval_of(remaining(timer))};
  writes_object(before, REEX_CALLER);
  arm(timer, nanoseconds_of(wanted->it_value), nanoseconds_of(wanted->it_interval), REEX_CALLER);
  return 0;
}

REEX_EXPORT int getitimer(__itimer_which_t which, itimerval* now) noexcept {
  const int index = static_cast<int>(which);
  if (index < 0 || index >= static_cast<int>(k_interval_timers)) {
    errno = EINVAL;
    return -1;
  }
  will_write_buffer(now, REEX_CALLER);
  const Timer& timer = interval_timer(index);
  *now = {timeval_of(timer.interval), timeval_of(remaining(timer))};
  writes_object(now, REEX_CALLER);
  return 0;
}

REEX_EXPORT unsigned alarm(unsigned seconds) noexcept {
  Timer& timer = interval_timer(ITIMER_REAL);
  const std::uint64_t before = remaining(timer);
  arm(timer, seconds * k_second, 0, REEX_CALLER);
  return static_cast<unsigned>((before + k_second - 1) / k_second);
}

REEX_EXPORT useconds_t ualarm(useconds_t value, useconds_t interval) noexcept {
  Timer& timer = interval_timer(ITIMER_REAL);
  const std::uint64_t before = remaining(timer);
  arm(timer, value * k_microsecond, interval * k_microsecond, REEX_CALLER);
  return static_cast<useconds_t>(before / k_microsecond);
}

int reex::make_timer(clockid_t clock, const sigevent* event, timer_t* id) {
  unsigned index = k_interval_timers;
  while (index < k_timers && g_timers.timer[index].used) ++index;
  if (index == k_timers) {
    errno = EAGAIN;
    return -1;
  }
  Timer& timer = g_timers.timer[index];
  timer = {};
  timer.used = true;
  timer.clock = clock == CLOCK_THREAD_CPUTIME_ID ? clock_of(*g.current) : clock;
  timer.number = SIGALRM;
  timer.value.sival_ptr = reinterpret_cast<void*>(static_cast<std::uintptr_t>(index));
  if (event != nullptr) {
    timer.number = event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
    timer.value = event->sigev_value;
    if (event->sigev_notify == SIGEV_THREAD_ID) timer.thread = event->_sigev_un._tid - process_id();
    if (event->sigev_notify == SIGEV_THREAD) {
      timer.number = k_starter_signal;
      timer.thread = static_cast<int>(g_timers.starter);
      timer.starts_thread = true;
      timer.event = *event;
      if (event->sigev_notify_attributes != nullptr) timer.attributes = *event->sigev_notify_attributes;
    }
  }
  const bool known = timer.thread == -1 || live_thread(static_cast<unsigned>(timer.thread)) != nullptr;
  if (!known || (timer.number != 0 && !is_signal(timer.number))) {
    timer = {};
    errno = EINVAL;
    return -1;
  }
  if (index >= g_timers.end) g_timers.end = index + 1;
  *id = reinterpret_cast<timer_t>(static_cast<std::uintptr_t>(index));
  return 0;
}

REEX_EXPORT int timer_delete(timer_t id) noexcept {
  Timer* timer = find(id);
  if (timer == nullptr) return -1;
  *timer = {};
  return 0;
}

REEX_EXPORT int timer_settime(timer_t id, int flags, const itimerspec* wanted, itimerspec* before) noexcept {
  Timer* timer = find(id);
  if (timer == nullptr) return -1;
  reads_object(wanted, REEX_CALLER);
  will_write_buffer(before, REEX_CALLER);
  if (!is_duration(wanted->it_value) || !is_duration(wanted->it_interval)) {
    errno = EINVAL;
    return -1;
  }
  if (before != nullptr) *before = state_of(*timer);
  writes_object(before, REEX_CALLER);
  std::uint64_t after = nanoseconds(wanted->it_value);
  if ((flags & TIMER_ABSTIME) != 0 && after != 0) {
    const std::uint64_t deadline = deadline_of(timer->clock, &wanted->it_value);
    after = deadline > g_time.now ? deadline - g_time.now : 1;
  }
  arm(*timer, after, nanoseconds(wanted->it_interval), REEX_CALLER);
  return 0;
}

REEX_EXPORT int timer_gettime(timer_t id, itimerspec* now) noexcept {
  Timer* timer = find(id);
  if (timer == nullptr) return -1;
  if (timer->number == 0 && timer->deadline <= g_time.now) fire(*timer); // nobody waits for it
  will_write_buffer(now, REEX_CALLER);
  *now = state_of(*timer);
  writes_object(now, REEX_CALLER);
  return 0;
}

REEX_EXPORT int timer_getoverrun(timer_t id) noexcept {
  const Timer* timer = find(id);
  return timer == nullptr ? -1 : timer->overrun;
}
