// How a thread leaves in the middle of a function: pthread_exit and cancellation. C++ code, and C code with
// exceptions, is unwound. C code without exceptions has stored a jump buffer (pthread_cleanup_push as
// setjmp), and older code a list of handlers.
#include <csetjmp>
#include <pthread.h>
#include <unwind.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/threads/cancel.h"
#include "reex/runtime/threads/fiber.h"

using namespace reex;

namespace {

// One object for each thread, outside the stack that is unwound. unwind() resets it before each use.
_Unwind_Exception g_leaving[k_max_threads]; // by slot

// What glibc stores in the space of __pthread_unwind_buf_t.
struct JumpBuffer {
  unsigned long registers[8]; // __jmp_buf: rbx, rbp, r12 to r15, rsp, the address; mangled pointers
  int mask_was_saved;
  void* outer;
  bool cancel_at_once; // to be restored later
};
static_assert(sizeof(JumpBuffer) <= sizeof(__pthread_unwind_buf_t));

constexpr unsigned k_stack_pointer = 6;

char* stack_pointer(const JumpBuffer& buffer) {
  unsigned long value = buffer.registers[k_stack_pointer]; // PTR_MANGLE of glibc on x86-64
  asm("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(value));
  return reinterpret_cast<char*>(value);
}

// The unwinder calls this for every frame. At the thread's outermost frame the thread ends.
_Unwind_Reason_Code stop_at_entry(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                  _Unwind_Context* context, void*) {
  Fiber& self = *g.current;
  const auto frame = reinterpret_cast<char*>(_Unwind_GetCFA(context));
  const bool end = (actions & _UA_END_OF_STACK) != 0 || frame >= self.entry_frame;
  while (self.own.cleanup != nullptr && (end || frame >= self.own.cleanup)) {
    const auto handler = static_cast<_pthread_cleanup_buffer*>(self.own.cleanup);
    self.own.cleanup = handler->__prev;
    handler->__routine(handler->__arg);
  }
  auto* buffer = static_cast<JumpBuffer*>(self.own.unwind_buffer);
  if (buffer != nullptr && (end || frame >= stack_pointer(*buffer)))
    longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer), 1);
  if (end) finish_fiber(self.result);
  return _URC_NO_REASON;
}

void caught(_Unwind_Reason_Code, _Unwind_Exception*) {
  end_execution(End::aborted, 0, "a thread that leaves was caught: a catch (...) did not rethrow");
}

[[noreturn]] void unwind(Fiber& self) {
  _Unwind_Exception& exception = g_leaving[self.slot];
  exception = {};
  exception.exception_cleanup = caught;
  _Unwind_ForcedUnwind(&exception, stop_at_entry, nullptr);
  finish_fiber(self.result);
}

JumpBuffer& as_buffer(__pthread_unwind_buf_t* object) { return *reinterpret_cast<JumpBuffer*>(object); }

} // namespace

void reex::leave_thread(void* result) {
  Fiber& self = *g.current;
  self.result = result;
  self.joins = nullptr;
  self.own.leaving = true;
  self.own.at_point = false;
  self.interrupted = nullptr; // the handlers that are under way do not return
  self.condition = nullptr;
  unwind(self);
}

REEX_EXPORT void pthread_exit(void* result) { leave_thread(result); }

REEX_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* object) {
  as_buffer(object).outer = g.current->own.unwind_buffer;
  g.current->own.unwind_buffer = object;
}

REEX_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* object) {
  g.current->own.unwind_buffer = as_buffer(object).outer;
}

REEX_EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t* object) {
  __pthread_register_cancel(object);
  as_buffer(object).cancel_at_once = g.current->own.cancel_at_once;
  g.current->own.cancel_at_once = false;
}

REEX_EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t* object) {
  __pthread_unregister_cancel(object);
  g.current->own.cancel_at_once = as_buffer(object).cancel_at_once;
  testcancel_at_once(*g.current);
}

// A cleanup handler has run; continues with the next one.
REEX_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* object) {
  __pthread_unregister_cancel(object);
  unwind(*g.current);
}

REEX_EXPORT void _pthread_cleanup_push(_pthread_cleanup_buffer* handler, void (*routine)(void*),
                                       void* argument) {
  handler->__routine = routine;
  handler->__arg = argument;
  handler->__prev = static_cast<_pthread_cleanup_buffer*>(g.current->own.cleanup);
  g.current->own.cleanup = handler;
}

REEX_EXPORT void _pthread_cleanup_pop(_pthread_cleanup_buffer* handler, int execute) {
  g.current->own.cleanup = handler->__prev;
  if (execute != 0) handler->__routine(handler->__arg);
}

REEX_EXPORT void _pthread_cleanup_push_defer(_pthread_cleanup_buffer* handler, void (*routine)(void*),
                                             void* argument) {
  _pthread_cleanup_push(handler, routine, argument);
  handler->__canceltype = g.current->own.cancel_at_once ? 1 : 0;
  g.current->own.cancel_at_once = false;
}

REEX_EXPORT void _pthread_cleanup_pop_restore(_pthread_cleanup_buffer* handler, int execute) {
  g.current->own.cleanup = handler->__prev;
  g.current->own.cancel_at_once = handler->__canceltype != 0;
  if (execute != 0) handler->__routine(handler->__arg);
  testcancel_at_once(*g.current);
}
