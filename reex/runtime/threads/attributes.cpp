#include "reex/runtime/threads/attributes.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/threads/scheduling.h"

namespace reex {
namespace {

// The first fields of glibc's struct pthread_attr. Its functions do not tell which values were set.
struct Layout {
  sched_param parameters;
  int policy;
  int flags;
  std::size_t guard_size;
  void* stack_end;
  std::size_t stack_size;
};
static_assert(sizeof(Layout) <= sizeof(pthread_attr_t));

constexpr int k_has_stack = 0x8;
constexpr int k_has_priority = 0x20;
constexpr int k_has_policy = 0x40;

constexpr std::size_t k_page = 4096;
constexpr std::size_t k_least_rest = 2048;           // of a stack, beyond thread-local storage
constexpr std::size_t k_most = std::size_t{1} << 46; // half of the address space: no stack is as large
constexpr std::size_t k_alignment = 64;

bool names_processors(const pthread_attr_t& given, cpu_set_t& set) {
  if (pthread_attr_getaffinity_np(&given, sizeof set, &set) != 0) return false;
  cpu_set_t all; // what is returned if nothing was set
  memset(&all, 0xff, sizeof all);
  return memcmp(&all, &set, sizeof set) != 0;
}

int check_stack(const Attributes& read, std::size_t wanted_guard) {
  if (read.stack_end != nullptr) return read.stack_size < k_least_rest ? EINVAL : 0;
  if (read.guard_size < wanted_guard || read.stack_size + read.guard_size < read.guard_size) return EINVAL;
  if (read.stack_size < ((read.guard_size + k_least_rest + k_page - 1) & ~(k_page - 1))) return EINVAL;
  return read.stack_size > k_most ? EAGAIN : 0; // the system has no room
}

int read_given(Attributes& read, const pthread_attr_t& given) {
  Layout layout;
  memcpy(&layout, &given, sizeof layout);
  int detach = PTHREAD_CREATE_JOINABLE;
  int inherit = PTHREAD_INHERIT_SCHED;
  pthread_attr_getdetachstate(&given, &detach);
  pthread_attr_getinheritsched(&given, &inherit);
  pthread_attr_getstacksize(&given, &read.stack_size);
  read.detached = detach == PTHREAD_CREATE_DETACHED;
  read.explicit_scheduling = inherit == PTHREAD_EXPLICIT_SCHED;
  read.has_policy = (layout.flags & k_has_policy) != 0;
  read.has_priority = (layout.flags & k_has_priority) != 0;
  read.policy = layout.policy;
  read.priority = layout.parameters.sched_priority;
  read.has_processors = names_processors(given, read.processors);
  sigset_t mask;
  read.has_mask = pthread_attr_getsigmask_np(&given, &mask) == 0;
  if (read.has_mask) memcpy(&read.mask, &mask, sizeof read.mask);
  if ((layout.flags & k_has_stack) != 0) read.stack_end = static_cast<char*>(layout.stack_end);
  read.stack_size &= ~(k_alignment - 1);
  read.guard_size = (layout.guard_size + k_page - 1) & ~(k_page - 1);
  const int error = check_stack(read, layout.guard_size);
  if (read.stack_end != nullptr) read.guard_size = 0;
  return error;
}

} // namespace

int read_attributes(Attributes& read, const pthread_attr_t* given) {
  if (given != nullptr) return read_given(read, *given);
  pthread_attr_t defaults;
  if (const int error = pthread_getattr_default_np(&defaults); error != 0) return error;
  const int error = read_given(read, defaults);
  pthread_attr_destroy(&defaults);
  return error;
}

int apply_scheduling(Scheduling& made, const Attributes& wanted) {
  if (wanted.has_processors)
    if (const int error = set_processors(made, sizeof wanted.processors, &wanted.processors); error != 0)
      return error;
  if (!wanted.explicit_scheduling) return 0;
  return set_policy(made, wanted.has_policy ? wanted.policy : made.policy,
                    wanted.has_priority ? wanted.priority : made.priority);
}

} // namespace reex
