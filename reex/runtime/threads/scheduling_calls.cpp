// The calls that ask for policy, priority and processors of a thread, or set them. Other threads can see it,
// so such a call is a visible operation like the one on a thread's name, if there are several threads.
#include <cerrno>
#include <climits>
#include <cstring>
#include <sched.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/threads/scheduling.h"
#include "reex/shared/hidden_objects.h"

using namespace reex;

namespace {

void* object_of(const Fiber& thread) { return reinterpret_cast<void*>(thread_scheduling_object(thread.id)); }

// After a call that may have given the thread a rank. Who can run depends on all operations from now on.
int settle(const Fiber& thread, int error) {
  if (error != 0 || g.ranked || !has_rank(thread.own.scheduling)) return error;
  g.ranked = true;
  fingerprint_fence();
  return 0;
}

// Whether the thread is alive at the operation that the caller has come to.
bool is_there(const Fiber& thread) {
  if (&thread == g.current) return true;
  fingerprint_fence(); // its end is seen
  return thread.state == FiberState::live;
}

// These return false if the thread has ended.
bool come_to_write(const Fiber& thread, void* pc, void* frame) {
  if (!is_alone()) visible(Operation::library_write, object_of(thread), pc, frame);
  return is_there(thread);
}

bool come_to_read(const Fiber& thread, void* pc, void* frame) {
  if (!is_alone()) {
    visible(Operation::library_read, object_of(thread), pc, frame);
    note_read(object_of(thread), 0);
  }
  return is_there(thread);
}

// The thread that the kernel's number names; 0: the calling one. Null: it is a process that is not the
// test's.
Fiber* called(pid_t number) {
  if (g.forked_off) return nullptr;
  if (number == 0) return g.current;
  return number < process_id() ? nullptr : live_thread(static_cast<unsigned>(number - process_id()));
}

int fail_with(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int ask_kernel(long result) {
  return result < 0 ? fail_with(static_cast<int>(-result)) : static_cast<int>(result);
}

} // namespace

#define REEX_HERE REEX_CALLER, REEX_FRAME

REEX_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const sched_param* parameters) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  return settle(*target, set_policy(target->own.scheduling, policy, parameters->sched_priority));
}

REEX_EXPORT int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  Scheduling& of = target->own.scheduling;
  return settle(*target, set_policy(of, of.policy | (of.reset_on_fork ? SCHED_RESET_ON_FORK : 0), priority));
}

REEX_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) noexcept {
  const Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (!come_to_read(*target, REEX_HERE)) return ESRCH;
  *policy = target->own.scheduling.policy;
  parameters->sched_priority = target->own.scheduling.priority;
  return 0;
}

REEX_EXPORT int pthread_setaffinity_np(pthread_t thread, std::size_t size, const cpu_set_t* set) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  return settle(*target, set_processors(target->own.scheduling, size, set));
}

REEX_EXPORT int pthread_getaffinity_np(pthread_t thread, std::size_t size, cpu_set_t* set) noexcept {
  const Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (!come_to_read(*target, REEX_HERE)) return ESRCH;
  const long got = get_processors(target->own.scheduling, size < INT_MAX ? size : INT_MAX, set);
  if (got < 0) return static_cast<int>(-got);
  memset(reinterpret_cast<char*>(set) + got, 0, size - static_cast<std::size_t>(got));
  return 0;
}

REEX_EXPORT int sched_setscheduler(pid_t number, int policy, const sched_param* parameters) noexcept {
  Fiber* target = called(number);
  if (target == nullptr)
    return ask_kernel(raw_syscall(SYS_sched_setscheduler, number, policy, as_long(parameters)));
  if (!come_to_write(*target, REEX_HERE)) return fail_with(ESRCH);
  return fail_with(parameters == nullptr ? EINVAL
                                         : settle(*target, set_policy(target->own.scheduling, policy,
                                                                      parameters->sched_priority)));
}

REEX_EXPORT int sched_getscheduler(pid_t number) noexcept {
  const Fiber* target = called(number);
  if (target == nullptr) return ask_kernel(raw_syscall(SYS_sched_getscheduler, number));
  if (!come_to_read(*target, REEX_HERE)) return fail_with(ESRCH);
  const Scheduling& of = target->own.scheduling;
  return of.policy | (of.reset_on_fork ? SCHED_RESET_ON_FORK : 0);
}

REEX_EXPORT int sched_setparam(pid_t number, const sched_param* parameters) noexcept {
  Fiber* target = called(number);
  if (target == nullptr) return ask_kernel(raw_syscall(SYS_sched_setparam, number, as_long(parameters)));
  if (!come_to_write(*target, REEX_HERE)) return fail_with(ESRCH);
  Scheduling& of = target->own.scheduling;
  return fail_with(
      parameters == nullptr
          ? EINVAL
          : settle(*target, set_policy(of, of.policy | (of.reset_on_fork ? SCHED_RESET_ON_FORK : 0),
                                       parameters->sched_priority)));
}

REEX_EXPORT int sched_getparam(pid_t number, sched_param* parameters) noexcept {
  const Fiber* target = called(number);
  if (target == nullptr) return ask_kernel(raw_syscall(SYS_sched_getparam, number, as_long(parameters)));
  if (!come_to_read(*target, REEX_HERE)) return fail_with(ESRCH);
  if (parameters == nullptr) return fail_with(EINVAL);
  parameters->sched_priority = target->own.scheduling.priority;
  return 0;
}

REEX_EXPORT int sched_setaffinity(pid_t number, std::size_t size, const cpu_set_t* set) noexcept {
  Fiber* target = called(number);
  if (target == nullptr)
    return ask_kernel(raw_syscall(SYS_sched_setaffinity, number, static_cast<long>(size), as_long(set)));
  if (!come_to_write(*target, REEX_HERE)) return fail_with(ESRCH);
  return fail_with(settle(*target, set_processors(target->own.scheduling, size, set)));
}

REEX_EXPORT int sched_getaffinity(pid_t number, std::size_t size, cpu_set_t* set) noexcept {
  const Fiber* target = called(number);
  long got = 0;
  if (target == nullptr) {
    got = raw_syscall(SYS_sched_getaffinity, number, static_cast<long>(size < INT_MAX ? size : INT_MAX),
                      as_long(set));
  } else {
    if (!come_to_read(*target, REEX_HERE)) return fail_with(ESRCH);
    got = get_processors(target->own.scheduling, size < INT_MAX ? size : INT_MAX, set);
  }
  if (got < 0) return fail_with(static_cast<int>(-got));
  memset(reinterpret_cast<char*>(set) + got, 0, size - static_cast<std::size_t>(got));
  return 0;
}
