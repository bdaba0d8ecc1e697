// The calls that ask for policy, priority, nice value and processors of a thread, or set them. Other threads
// can see it, so such a call is a visible operation like the one on a thread's name, if there are several
// threads. Programs make the system calls themselves, too (scheduling_system_call).
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/order/finding.h"
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

// A thread asks on which processor it is without a visible operation. So another one that moves it comes
// before or after each of its steps.
int move_to(Fiber& thread, std::size_t size, const cpu_set_t* processors) {
  if (&thread != g.current) fingerprint_fence();
  return set_processors(thread.own.scheduling, size, processors);
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

// The kernel's structure of the first version and of the one after it. <sched.h> has it in newer versions of
// glibc.
struct KernelAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t nice;
  std::uint32_t priority;
  std::uint64_t runtime, deadline, period;
  std::uint32_t utilization[2];
};
constexpr std::uint32_t k_first_size = 48;
constexpr std::uint32_t k_largest_size = 4096;
constexpr std::uint64_t k_reset_on_fork = 1, k_keep_policy = 8, k_keep_parameters = 16;
constexpr std::uint64_t k_understood = k_reset_on_fork | k_keep_policy | k_keep_parameters;

bool is_zero(const char* bytes, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (bytes[i] != 0) return false;
  return true;
}

// Returns an error number. The test's structure may be shorter or longer than ours.
int take_attributes(void* given, KernelAttributes& taken) {
  std::uint32_t size = 0;
  memcpy(&size, given, sizeof size);
  if (size == 0) size = k_first_size;
  const bool has_more = size > sizeof taken && size <= k_largest_size &&
                        !is_zero(static_cast<char*>(given) + sizeof taken, size - sizeof taken);
  if (size < k_first_size || size > k_largest_size || has_more) {
    size = sizeof taken;
    memcpy(given, &size, sizeof size);
    return E2BIG;
  }
  memcpy(&taken, given, size < sizeof taken ? size : sizeof taken);
  return 0;
}

int set_attributes(Scheduling& of, const KernelAttributes& wanted) {
  const std::uint64_t other = wanted.flags & ~k_understood;
  if (wanted.policy == SCHED_DEADLINE || other != 0)
    refuse("sched_setattr with a deadline, or limits of utilization");
  const bool keeps_policy = (wanted.flags & k_keep_policy) != 0;
  const bool keeps_parameters = (wanted.flags & k_keep_parameters) != 0;
  const int policy = keeps_policy ? of.policy : static_cast<int>(wanted.policy);
  const int priority = keeps_parameters ? of.priority : static_cast<int>(wanted.priority);
  const bool takes_nice = !keeps_parameters && is_fair(policy);
  if (takes_nice && !may_have_nice(of, wanted.nice)) return EPERM;
  const bool reset_on_fork = (wanted.flags & k_reset_on_fork) != 0;
  const int error = set_policy(of, policy | (reset_on_fork ? SCHED_RESET_ON_FORK : 0), priority);
  if (error == 0 && takes_nice) set_nice(of, wanted.nice);
  return error;
}

// The number of bytes, or an error number below 0.
long get_processors_of(pid_t number, std::size_t size, cpu_set_t* set, void* pc, void* frame) {
  if (size > INT_MAX) size = INT_MAX;
  const Fiber* target = called(number);
  if (target == nullptr)
    return raw_syscall(SYS_sched_getaffinity, number, static_cast<long>(size), as_long(set));
  if (!come_to_read(*target, pc, frame)) return -ESRCH;
  return get_processors(target->own.scheduling, size, set);
}

} // namespace

#define REEX_HERE REEX_CALLER, REEX_FRAME

REEX_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const sched_param* parameters) noexcept {
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  return settle(*target, set_policy(target->own.scheduling, policy, parameters->sched_priority));
}

REEX_EXPORT int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  Scheduling& of = target->own.scheduling;
  return settle(*target, set_policy(of, of.policy | (of.reset_on_fork ? SCHED_RESET_ON_FORK : 0), priority));
}

REEX_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) noexcept {
  const Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  will_write_buffer(policy, REEX_CALLER);
  will_write_buffer(parameters, REEX_CALLER);
  if (!come_to_read(*target, REEX_HERE)) return ESRCH;
  *policy = target->own.scheduling.policy;
  parameters->sched_priority = target->own.scheduling.priority;
  writes_object(policy, REEX_CALLER);
  writes_object(parameters, REEX_CALLER);
  return 0;
}

REEX_EXPORT int pthread_setaffinity_np(pthread_t thread, std::size_t size, const cpu_set_t* set) noexcept {
  Fiber* target = fiber_named(thread, REEX_CALLER);
  if (target == nullptr) return ESRCH;
  if (!come_to_write(*target, REEX_HERE)) return ESRCH;
  return settle(*target, move_to(*target, size, set));
}

REEX_EXPORT int pthread_getaffinity_np(pthread_t thread, std::size_t size, cpu_set_t* set) noexcept {
  const Fiber* target = fiber_named(thread, REEX_CALLER);
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
  return fail_with(settle(*target, move_to(*target, size, set)));
}

REEX_EXPORT int sched_getaffinity(pid_t number, std::size_t size, cpu_set_t* set) noexcept {
  const long got = get_processors_of(number, size, set, REEX_HERE);
  if (got < 0) return fail_with(static_cast<int>(-got));
  memset(reinterpret_cast<char*>(set) + got, 0, size - static_cast<std::size_t>(got));
  return 0;
}

REEX_EXPORT int setpriority(__priority_which_t which, id_t who, int nice) noexcept {
  Fiber* target = which == PRIO_PROCESS ? called(static_cast<pid_t>(who)) : nullptr;
  if (target == nullptr) return ask_kernel(raw_syscall(SYS_setpriority, which, static_cast<long>(who), nice));
  if (!come_to_write(*target, REEX_HERE)) return fail_with(ESRCH);
  if (!may_have_nice(target->own.scheduling, nice)) return fail_with(EACCES);
  set_nice(target->own.scheduling, nice);
  return 0;
}

REEX_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  const Fiber* target = which == PRIO_PROCESS ? called(static_cast<pid_t>(who)) : nullptr;
  if (target == nullptr) {
    const long result = raw_syscall(SYS_getpriority, which, static_cast<long>(who)); // 1 to 40
    return result < 0 ? ask_kernel(result) : 20 - static_cast<int>(result);
  }
  if (!come_to_read(*target, REEX_HERE)) return fail_with(ESRCH);
  return target->own.scheduling.nice;
}

namespace reex {

int set_attributes_of(pid_t number, void* given, unsigned flags) {
  Fiber* target = called(number);
  if (target == nullptr)
    return ask_kernel(raw_syscall(SYS_sched_setattr, number, as_long(given), static_cast<long>(flags)));
  if (!come_to_write(*target, REEX_HERE)) return fail_with(ESRCH);
  if (given == nullptr || flags != 0) return fail_with(EINVAL);
  KernelAttributes wanted{};
  if (const int error = take_attributes(given, wanted); error != 0) return fail_with(error);
  return fail_with(settle(*target, set_attributes(target->own.scheduling, wanted)));
}

int get_attributes_of(pid_t number, void* found, unsigned size, unsigned flags) {
  const Fiber* target = called(number);
  if (target == nullptr)
    return ask_kernel(raw_syscall(SYS_sched_getattr, number, as_long(found), static_cast<long>(size),
                                  static_cast<long>(flags)));
  if (!come_to_read(*target, REEX_HERE)) return fail_with(ESRCH);
  const long result =
      raw_syscall(SYS_sched_getattr, 0, as_long(found), static_cast<long>(size), static_cast<long>(flags));
  if (result < 0) return ask_kernel(result);
  const Scheduling& of = target->own.scheduling;
  KernelAttributes told{};
  memcpy(&told, found, k_first_size);
  told.policy = static_cast<std::uint32_t>(of.policy);
  told.flags = of.reset_on_fork ? k_reset_on_fork : 0;
  told.nice = of.nice;
  told.priority = static_cast<std::uint32_t>(of.priority);
  memcpy(found, &told, k_first_size);
  return 0;
}

bool scheduling_system_call(long number, const long* a, long& result) {
  const auto thread = static_cast<pid_t>(a[0]);
  const auto second = static_cast<int>(a[1]);
  const auto* parameters = reinterpret_cast<const sched_param*>(a[2]);
  switch (number) {
  case SYS_sched_setattr:
    result = set_attributes_of(thread, reinterpret_cast<void*>(a[1]), static_cast<unsigned>(a[2]));
    return true;
  case SYS_sched_getattr:
    result = get_attributes_of(thread, reinterpret_cast<void*>(a[1]), static_cast<unsigned>(a[2]),
                               static_cast<unsigned>(a[3]));
    return true;
  case SYS_sched_setscheduler:
    result = sched_setscheduler(thread, second, parameters);
    return true;
  case SYS_sched_getscheduler:
    result = sched_getscheduler(thread);
    return true;
  case SYS_sched_setparam:
    result = sched_setparam(thread, reinterpret_cast<const sched_param*>(a[1]));
    return true;
  case SYS_sched_getparam:
    result = sched_getparam(thread, reinterpret_cast<sched_param*>(a[1]));
    return true;
  case SYS_sched_setaffinity:
    result =
        sched_setaffinity(thread, static_cast<std::size_t>(a[1]), reinterpret_cast<const cpu_set_t*>(a[2]));
    return true;
  case SYS_sched_getaffinity: // says how many bytes the kernel's set has
    result = get_processors_of(thread, static_cast<std::size_t>(a[1]), reinterpret_cast<cpu_set_t*>(a[2]),
                               REEX_HERE);
    if (result < 0) result = fail_with(static_cast<int>(-result));
    return true;
  case SYS_setpriority:
    result =
        setpriority(static_cast<__priority_which_t>(a[0]), static_cast<id_t>(a[1]), static_cast<int>(a[2]));
    return true;
  case SYS_getpriority: { // 1 to 40
    errno = 0;
    const int nice = getpriority(static_cast<__priority_which_t>(a[0]), static_cast<id_t>(a[1]));
    result = errno != 0 ? -1 : 20 - nice;
    return true;
  }
  default:
    return false;
  }
}

} // namespace reex

// glibc has these from 2.41 on, with a structure that this one does not know.
REEX_EXPORT int reex_sched_setattr(pid_t number, void* given, unsigned flags) asm("sched_setattr");
REEX_EXPORT int reex_sched_setattr(pid_t number, void* given, unsigned flags) {
  return set_attributes_of(number, given, flags);
}
REEX_EXPORT int reex_sched_getattr(pid_t number, void* found, unsigned size,
                                   unsigned flags) asm("sched_getattr");
REEX_EXPORT int reex_sched_getattr(pid_t number, void* found, unsigned size, unsigned flags) {
  return get_attributes_of(number, found, size, flags);
}
