// timer_create. With SIGEV_THREAD it works as in glibc: the first such timer creates a thread, the starter,
// which waits for the signals of these timers, and starts a detached thread for each of them.
#include <cerrno>
#include <csignal>
#include <pthread.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/signals/signals.h"
#include "reex/runtime/signals/timers.h"
#include "reex/runtime/threads/attributes.h"
#include "reex/runtime/threads/fiber.h"
#include "reex/runtime/threads/thread.h"

using namespace reex;

namespace {

void* start_threads(void*) {
  g.current->own.blocked = ~k_never_blocked;
  sigset_t signals;
  store_set(signals, bit_of(k_starter_signal));
  for (;;) {
    siginfo_t details;
    if (sigwaitinfo(&signals, &details) < 0) continue;
    if (const sigevent* const event = event_of_timer(details.si_timerid))
      notify_by_thread(*event, 0, REEX_CALLER, REEX_FRAME);
  }
}

// An error number. The starter is the timer's creator's child, and the same for all timers.
int ensure_starter(void* pc, void* frame) {
  if (starter_of_timers() != 0) return 0;
  pthread_t thread{};
  if (const int error = create_thread(&thread, nullptr, start_threads, nullptr, pc, frame); error != 0)
    return error;
  starter_of_timers() = fiber_of(thread)->id;
  pthread_detach(thread);
  return 0;
}

int fail(int error) {
  errno = error;
  return -1;
}

// The copy of the attributes is only good as long as it does not point to what the test may free.
bool can_be_kept(const pthread_attr_t* attributes) {
  Attributes read;
  return read_attributes(read, attributes) != 0 || (!read.has_processors && !read.has_mask);
}

} // namespace

REEX_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* id) noexcept {
  if (!is_clock(clock)) return fail(EINVAL);
  if (clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE)
    return fail(EOPNOTSUPP);
  if (event != nullptr && event->sigev_notify == SIGEV_THREAD) {
    if (!can_be_kept(event->sigev_notify_attributes))
      refuse("timer_create with SIGEV_THREAD and attributes that name processors or signals");
    if (ensure_starter(REEX_CALLER, REEX_FRAME) != 0) return fail(EAGAIN);
  }
  return make_timer(clock, event, id);
}
