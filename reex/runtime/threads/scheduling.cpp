// The variables of this file are set once, at the start of the process.
#include "reex/runtime/threads/scheduling.h"

#include <cerrno>
#include <cstring>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr int k_highest_priority = 99;
constexpr int k_nice_of_normal = 20; // RLIMIT_NICE that permits nice 0

cpu_set_t g_permitted;             // processors that the kernel would give
std::size_t g_kernel_set_size = 0; // bytes of the kernel's sets
std::size_t g_least_set_size = 0;  // bytes of the smallest set that the kernel fills

bool is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }
int nearest_nice(int wanted) { return wanted < -20 ? -20 : wanted > 19 ? 19 : wanted; }

bool has_capability() { // CAP_SYS_NICE; the test may have given up its privileges since its start
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (raw_syscall(SYS_capget, as_long(&head), as_long(sets)) != 0) return false;
  return (sets[0].effective & 1u << CAP_SYS_NICE) != 0;
}

rlim_t limit_of(int resource) {
  rlimit limit{};
  raw_syscall(SYS_getrlimit, resource, as_long(&limit));
  return limit.rlim_cur;
}

// The rules of sched_setscheduler(2), "Privileges and resource limits".
bool is_permitted(const Scheduling& now, int policy, int priority, bool reset_on_fork) {
  if (has_capability()) return true;
  if (is_real_time(policy)) {
    const rlim_t limit = limit_of(RLIMIT_RTPRIO);
    if (policy != now.policy && limit == 0) return false;
    if (priority > now.priority && static_cast<rlim_t>(priority) > limit) return false;
  }
  if (now.policy == SCHED_IDLE && policy != SCHED_IDLE && limit_of(RLIMIT_NICE) < rlim_t{k_nice_of_normal})
    return false;
  return !now.reset_on_fork || reset_on_fork;
}

long get_from_kernel(cpu_set_t& set, std::size_t size = sizeof(cpu_set_t)) {
  return raw_syscall(SYS_sched_getaffinity, 0, static_cast<long>(size), as_long(&set));
}
void give_to_kernel(const cpu_set_t& set) {
  raw_syscall(SYS_sched_setaffinity, 0, sizeof set, as_long(&set));
}

} // namespace

bool is_fair(int policy) { return policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE; }

bool may_have_nice(const Scheduling& of, int wanted) {
  wanted = nearest_nice(wanted);
  return wanted >= of.nice || static_cast<rlim_t>(k_nice_of_normal - wanted) <= limit_of(RLIMIT_NICE) ||
         has_capability();
}

void set_nice(Scheduling& of, int wanted) { of.nice = nearest_nice(wanted); }

void remember_scheduling(Scheduling& of_main) {
  sched_param parameters{};
  const long policy = raw_syscall(SYS_sched_getscheduler, 0);
  raw_syscall(SYS_sched_getparam, 0, as_long(&parameters));
  if (policy >= 0) {
    of_main.reset_on_fork = (policy & SCHED_RESET_ON_FORK) != 0;
    of_main.policy = static_cast<int>(policy & ~SCHED_RESET_ON_FORK);
    of_main.priority = parameters.sched_priority;
  }
  // The kernel says 1 to 40, the highest for the lowest nice value.
  if (const long nice = raw_syscall(SYS_getpriority, PRIO_PROCESS, 0); nice > 0)
    of_main.nice = k_nice_of_normal - static_cast<int>(nice);
  if (const long slack = raw_syscall(SYS_prctl, PR_GET_TIMERSLACK); slack > 0)
    of_main.timer_slack = of_main.default_timer_slack = slack;
  const long size = get_from_kernel(of_main.processors);
  g_kernel_set_size = size > 0 ? static_cast<std::size_t>(size) : sizeof(cpu_set_t);
  // It must have room for all processors that there may be, which are fewer than the kernel was made for.
  g_least_set_size = sizeof(unsigned long);
  while (g_least_set_size < g_kernel_set_size && get_from_kernel(g_permitted, g_least_set_size) < 0)
    g_least_set_size += sizeof(unsigned long);
  g_permitted = of_main.processors;
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  give_to_kernel(all);
  get_from_kernel(g_permitted);
  give_to_kernel(of_main.processors);
}

int set_policy(Scheduling& of, int policy, int priority) {
  const bool reset_on_fork = (policy & SCHED_RESET_ON_FORK) != 0;
  policy &= ~SCHED_RESET_ON_FORK;
  if (policy < 0 || !(is_real_time(policy) ? priority >= 1 && priority <= k_highest_priority
                                           : is_fair(policy) && priority == 0))
    return EINVAL;
  if (!is_permitted(of, policy, priority, reset_on_fork)) return EPERM;
  of.policy = policy;
  of.priority = priority;
  of.reset_on_fork = reset_on_fork;
  return 0;
}

int set_processors(Scheduling& of, std::size_t size, const cpu_set_t* wanted) {
  cpu_set_t set{};
  memcpy(&set, wanted, size < g_kernel_set_size ? size : g_kernel_set_size);
  CPU_AND(&set, &set, &g_permitted);
  if (CPU_COUNT(&set) == 0) return EINVAL;
  of.processors = set;
  of.is_confined = CPU_COUNT(&set) == 1;
  return 0;
}

long get_processors(const Scheduling& of, std::size_t size, cpu_set_t* set) {
  if (size < g_least_set_size || size % sizeof(unsigned long) != 0) return -EINVAL;
  if (size > g_kernel_set_size) size = g_kernel_set_size;
  memcpy(set, &of.processors, size);
  return static_cast<long>(size);
}

Scheduling inherited(const Scheduling& creator) {
  Scheduling made = creator;
  made.default_timer_slack = creator.timer_slack;
  if (!creator.reset_on_fork) return made;
  made.reset_on_fork = false;
  if (made.nice < 0) made.nice = 0;
  if (!is_real_time(creator.policy)) return made;
  made.policy = SCHED_OTHER;
  made.priority = 0;
  return made;
}

bool has_rank(const Scheduling& of) { return of.is_confined && is_real_time(of.policy); }

bool outranks(const Scheduling& one, const Scheduling& other) {
  return one.priority > other.priority && CPU_EQUAL(&one.processors, &other.processors);
}

} // namespace reex
