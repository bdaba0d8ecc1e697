// System calls by number, as libstdc++ makes them. Futex calls, yields and some others behave like the
// functions of the same name; the rest goes through controlled_call.
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <linux/membarrier.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/environment/random.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/primitives/futex.h"
#include "reex/runtime/threads/scheduling.h"

using namespace reex;

// The kernel would give the calling thread alone other rights; the functions of libc give them to all
// threads.
static bool changes_rights_of_one_thread(long number) {
  switch (number) {
  case SYS_setuid:
  case SYS_setgid:
  case SYS_setreuid:
  case SYS_setregid:
  case SYS_setresuid:
  case SYS_setresgid:
  case SYS_setfsuid:
  case SYS_setfsgid:
  case SYS_setgroups:
    return true;
  default:
    return false;
  }
}

// futex_waitv of Linux 5.16; futex_wake, futex_wait and futex_requeue of Linux 6.7. Programs do without where
// a kernel has none.
static bool is_new_futex_call(long number) {
  constexpr long k_first_of_6_7 = 454;
  constexpr long k_last_of_6_7 = 456;
  return number == SYS_futex_waitv || (number >= k_first_of_6_7 && number <= k_last_of_6_7);
}

// A fence of all threads, and no question, nor one of the calls that register for it.
static bool is_fence_of_all(long command) {
  constexpr long k_fences = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
                            MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE |
                            MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ;
  return (command & k_fences) != 0;
}

REEX_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (long result = 0; number == SYS_futex && futex_call(a, REEX_READ_CALLER, result)) return result;
  if (is_new_futex_call(number)) {
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_gettid) return gettid();
  if (number == SYS_tgkill)
    return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
  if (number == SYS_sched_yield) {
    REEX_POINT(Operation::yield, nullptr);
    return 0;
  }
  if (number == SYS_membarrier && is_fence_of_all(a[0])) {
    REEX_POINT(Operation::atomic_fence, nullptr);
    order_fence(__ATOMIC_SEQ_CST);
  }
  // A copy of the worker must not go on as a worker.
  if (number == SYS_fork || number == SYS_vfork || (number == SYS_clone && a[0] == SIGCHLD && a[1] == 0))
    return fork();
  if (number == SYS_exit_group) _exit(static_cast<int>(a[0]));
  if (number == SYS_exit && g.active && !g.forked_off) refuse("the system call exit, which ends one thread");
  if (changes_rights_of_one_thread(number) && g.active && !g.forked_off)
    refuse("a user or group of one thread alone");
  if (number == SYS_getpid) return getpid();
  if (number == SYS_clock_gettime)
    return clock_gettime(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
  if (number == SYS_gettimeofday) return gettimeofday(reinterpret_cast<timeval*>(a[0]), nullptr);
  if (number == SYS_time) return time(reinterpret_cast<time_t*>(a[0]));
  if (number == SYS_times) return times(reinterpret_cast<tms*>(a[0]));
  if (number == SYS_getrusage)
    return getrusage(static_cast<__rusage_who_t>(a[0]), reinterpret_cast<rusage*>(a[1]));
  if (number == SYS_getppid) return getppid();
  if (number == SYS_getcpu)
    return getcpu(reinterpret_cast<unsigned*>(a[0]), reinterpret_cast<unsigned*>(a[1]));
  if (long result = 0; scheduling_system_call(number, a, result)) return result;
  if (number == SYS_prctl) return prctl(static_cast<int>(a[0]), a[1], a[2], a[3], a[4]);
  if (number == SYS_signalfd || number == SYS_signalfd4)
    return signalfd(static_cast<int>(a[0]), reinterpret_cast<const sigset_t*>(a[1]),
                    number == SYS_signalfd ? 0 : static_cast<int>(a[3]));
  if (number == SYS_io_uring_setup) {
    // The kernel writes to the rings by itself, and nothing sets that back. Programs do without where a
    // kernel has none.
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_getrandom) {
    give_random(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]), REEX_CALLER);
    return a[1];
  }
  return REEX_CALL(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
