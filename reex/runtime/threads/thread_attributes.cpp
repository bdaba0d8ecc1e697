// Attributes of threads. For a thread of the kernel, the kernel would answer these calls.
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/threads/donor.h"
#include "reex/shared/hidden_objects.h"

using namespace reex;

namespace {

constexpr std::size_t k_name_room = sizeof(Personal::name);

void* name_of(const Fiber& thread) { return reinterpret_cast<void*>(thread_name_object(thread.id)); }

bool is_alone() { return g.live < 2; }

} // namespace

REEX_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const Fiber* target = fiber_of(thread);
  if (target == nullptr || target->donor == nullptr) return libc().pthread_getattr_np(thread, attributes);
  pthread_attr_init(attributes);
  pthread_attr_setdetachstate(attributes,
                              target->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  return pthread_attr_setstack(attributes, target->donor->stack_low,
                               static_cast<std::size_t>(target->donor->end - target->donor->stack_low));
}

REEX_EXPORT int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ENOENT;
  const std::size_t length = strlen(name);
  if (length >= k_name_room) return ERANGE;
  if (!is_alone()) REEX_POINT(Operation::library_write, name_of(*target));
  memcpy(target->own.name, name, length + 1);
  return 0;
}

REEX_EXPORT int pthread_getname_np(pthread_t thread, char* name, std::size_t room) noexcept {
  const Fiber* target = fiber_of(thread);
  if (target == nullptr) return ENOENT;
  if (room < k_name_room) return ERANGE;
  if (!is_alone()) {
    REEX_READ_POINT(Operation::library_read, name_of(*target));
    note_read(name_of(*target), 0);
  }
  memcpy(name, target->own.name, k_name_room);
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
  const long result = raw_syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

// All threads use the time of one processor and have one priority, whatever they ask for.
REEX_EXPORT int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) noexcept { return 0; }

REEX_EXPORT int pthread_getaffinity_np(pthread_t, std::size_t size, cpu_set_t* set) noexcept {
  memset(set, 0, size);
  const long result = raw_syscall(SYS_sched_getaffinity, 0, static_cast<long>(size), as_long(set));
  return result < 0 ? static_cast<int>(-result) : 0;
}

REEX_EXPORT int pthread_setschedparam(pthread_t, int, const sched_param*) noexcept { return 0; }
REEX_EXPORT int pthread_setschedprio(pthread_t, int) noexcept { return 0; }

REEX_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) noexcept {
  if (fiber_of(thread) == nullptr) return ESRCH;
  *policy = SCHED_OTHER;
  *parameters = {};
  return 0;
}

REEX_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  if (fiber_of(thread) == nullptr) return ESRCH;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
