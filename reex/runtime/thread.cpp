// Threads: creation, join, detach, yield, and the calls about a thread that would ask the kernel for one it
// does not have.
#include <cerrno>
#include <sched.h>
#include <unwind.h>

#include "reex/runtime/donor.h"
#include "reex/runtime/finding.h"
#include "reex/runtime/happens_before.h"
#include "reex/runtime/libc.h"
#include "reex/runtime/objects.h"
#include "reex/runtime/zygote.h"

using namespace reex;

REEX_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                               void* argument) {
  if (g.forked_off) return EAGAIN;
  if (!g.controlled) become_zygote(); // returns in a worker, at the start of every execution
  int detach = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach);
  note(Operation::thread_create, nullptr, REEX_CALLER, REEX_FRAME);
  if (attributes != nullptr) {
    std::size_t stack = 0;
    pthread_attr_getstacksize(attributes, &stack);
    if (stack > donor_stack_size()) {
      g.control->status.wanted_stack = stack;
      throw_away(End::more_threads, "a thread asks for a larger stack");
    }
  }
  Fiber* made = create_fiber(start, argument, detach == PTHREAD_CREATE_DETACHED);
  if (made == nullptr) throw_away(End::more_threads, "more threads than donors");
  *thread = made->fs;
  made->created_at = REEX_CALLER;
  witness_creation(*made);
  Status& status = g.control->status;
  if (g.fibers > status.max_threads.load(std::memory_order_relaxed)) status.max_threads.store(g.fibers);
  // The new thread runs up to its first visible operation, so that what it is about to do is known to every
  // choice.
  made->creator = g.current;
  Inside inside;
  switch_to(made);
  return 0;
}

namespace {

int join(pthread_t thread, void** result, std::uint64_t deadline, void* pc, void* frame) {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (target == g.current) return EDEADLK;
  if (target->detached || target->joined) return EINVAL;
  void* label = reinterpret_cast<void*>(static_cast<std::uintptr_t>(target->id) + 1); // names it in traces
  if (target->state == FiberState::finished)
    note(Operation::thread_join, label, pc, frame);
  else
    visible_pending(Operation::thread_join, label, pc, frame, deadline, target->id);
  if (target->state != FiberState::finished) return ETIMEDOUT;
  if (result != nullptr) *result = target->result;
  target->joined = true;
  order_joined(*target);
  give_back_donor(*target);
  return 0;
}

} // namespace

REEX_EXPORT int pthread_join(pthread_t thread, void** result) {
  return join(thread, result, k_never, REEX_CALLER, REEX_FRAME);
}

namespace {

// Not on the stack that is unwound.
_Unwind_Exception g_leaving[k_max_threads];

// Called for every frame on the way out: at the thread's outermost one it has ended.
_Unwind_Reason_Code stop_at_entry(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                  _Unwind_Context* context, void*) {
  const auto frame = reinterpret_cast<char*>(_Unwind_GetCFA(context));
  if ((actions & _UA_END_OF_STACK) != 0 || frame >= g.current->entry_frame) finish_fiber(g.current->result);
  return _URC_NO_REASON;
}

} // namespace

// Cleanup handlers and destructors run as the stack is unwound; a C++ catch (...) sees it pass.
REEX_EXPORT void pthread_exit(void* result) {
  Fiber& self = *g.current;
  self.result = result;
  _Unwind_ForcedUnwind(&(g_leaving[self.id] = {}), stop_at_entry, nullptr);
  finish_fiber(result);
}

REEX_EXPORT int pthread_detach(pthread_t thread) noexcept {
  Fiber* target = fiber_of(thread);
  if (target == nullptr) return ESRCH;
  if (target->detached) return EINVAL;
  target->detached = true;
  if (target->state == FiberState::finished) give_back_donor(*target);
  return 0;
}

REEX_EXPORT int sched_yield() noexcept {
  REEX_POINT(Operation::yield, nullptr);
  return 0;
}

REEX_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const Fiber* target = fiber_of(thread);
  if (target == nullptr || target->donor == nullptr) return libc().pthread_getattr_np(thread, attributes);
  pthread_attr_init(attributes);
  return pthread_attr_setstack(attributes, target->donor->stack_low,
                               static_cast<std::size_t>(target->donor->end - target->donor->stack_low));
}

REEX_EXPORT int pthread_setname_np(pthread_t, const char*) noexcept { return 0; }
REEX_EXPORT int pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) noexcept { return 0; }
REEX_EXPORT int pthread_setschedparam(pthread_t, int, const sched_param*) noexcept { return 0; }
REEX_EXPORT int pthread_setschedprio(pthread_t, int) noexcept { return 0; }
