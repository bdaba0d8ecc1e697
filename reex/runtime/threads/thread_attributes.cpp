// Attributes of threads. For a thread of the kernel, the kernel would answer these calls.
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/finding.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/threads/donor.h"
#include "reex/shared/hidden_objects.h"

using namespace reex;

namespace {

constexpr std::size_t k_name_room = sizeof(Personal::name);

void* name_of(const Fiber& thread) { return reinterpret_cast<void*>(thread_name_object(thread.id)); }

int tell_stack(const Fiber& thread, pthread_attr_t& attributes) {
  pthread_attr_init(&attributes);
  pthread_attr_setguardsize(&attributes, thread.told_guard);
  return pthread_attr_setstack(&attributes, thread.told_end - thread.told_size, thread.told_size);
}

} // namespace

REEX_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  const int error = target->donor == nullptr ? libc().pthread_getattr_np(thread, attributes)
                                             : tell_stack(*target, *attributes);
  if (error != 0) return error;
  const Scheduling& scheduling = target->own.scheduling;
  const sched_param parameters{.sched_priority = scheduling.priority};
  pthread_attr_setdetachstate(attributes,
                              target->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  pthread_attr_setinheritsched(attributes, target->has_explicit_scheduling ? PTHREAD_EXPLICIT_SCHED
                                                                           : PTHREAD_INHERIT_SCHED);
  pthread_attr_setschedpolicy(attributes, scheduling.policy);
  pthread_attr_setschedparam(attributes, &parameters);
  return pthread_attr_setaffinity_np(attributes, sizeof scheduling.processors, &scheduling.processors);
}

REEX_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ENOENT;
  will_read_buffer(name, REEX_CALLER);
  const std::size_t length = strlen(name);
  if (length >= k_name_room) return ERANGE;
  if (!is_alone()) REEX_POINT(Operation::library_write, name_of(*target));
  reads_text(name, REEX_CALLER);
  memcpy(target->own.name, name, length + 1);
  return 0;
}

REEX_EXPORT int pthread_getname_np(pthread_t thread, char* name, std::size_t room) noexcept {
  const Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ENOENT;
  if (room < k_name_room) return ERANGE;
  will_write_buffer(name, REEX_CALLER);
  if (!is_alone()) {
    REEX_READ_POINT(Operation::library_read, name_of(*target));
    note_read(name_of(*target), 0);
  }
  memcpy(name, target->own.name, k_name_room);
  writes_text(name, REEX_CALLER);
  return 0;
}

REEX_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  long a[4];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  Personal& own = g.current->own;
  if (option == PR_SET_NAME) {
    const auto* name = reinterpret_cast<const char*>(a[0]);
    const std::size_t length = strnlen(name, k_name_room - 1);
    if (!is_alone()) REEX_POINT(Operation::library_write, name_of(*g.current));
    memcpy(own.name, name, length);
    own.name[length] = '\0';
    return 0;
  }
  if (option == PR_GET_NAME) {
    if (!is_alone()) REEX_POINT(Operation::library_read, name_of(*g.current));
    memcpy(reinterpret_cast<char*>(a[0]), own.name, k_name_room);
    return 0;
  }
  Scheduling& scheduling = own.scheduling;
  if (option == PR_GET_TIMERSLACK) return static_cast<int>(scheduling.timer_slack);
  if (option == PR_SET_TIMERSLACK) {
    scheduling.timer_slack = a[0] > 0 ? a[0] : scheduling.default_timer_slack;
    return 0;
  }
  const long result = raw_syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

REEX_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  const Fiber* const fiber = fiber_named(thread, REEX_CALLER);
  if (fiber == nullptr || fiber->state == FiberState::finished) return ESRCH;
  *clock = fiber == g.current ? CLOCK_THREAD_CPUTIME_ID : clock_of(*fiber);
  return 0;
}
