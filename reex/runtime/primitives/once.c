/* pthread_once. If an exception leaves the routine, the object must be reset. This file is C, because
   cleanups of C++ would need libstdc++. */
#include "reex/runtime/primitives/once.h"

struct Call {
  pthread_once_t* object;
  void* pc;
  void* frame;
  int done;
};

static void end(struct Call* call) { reex_once_end(call->object, call->done, call->pc, call->frame); }

__attribute__((visibility("default"))) int pthread_once(pthread_once_t* object, void (*routine)(void)) {
  void* pc = __builtin_return_address(0);
  void* frame = (char*)__builtin_frame_address(0) + 16;
  if (reex_once_begin(object, pc, frame)) {
    __attribute__((cleanup(end))) struct Call call = {object, pc, frame, 0};
    routine();
    call.done = 1;
  }
  return 0;
}
