// Those functions of C11's threads whose results or arguments differ from POSIX's; aliases.cpp has the
// others. The objects are those of POSIX.
#include <cerrno>
#include <cstring>
#include <threads.h>

#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/lifetime.h"
#include "reex/runtime/primitives/primitives.h"
#include "reex/runtime/threads/cancel.h"
#include "reex/runtime/threads/thread.h"

using namespace reex;

static_assert(sizeof(Mutex) <= sizeof(mtx_t) && sizeof(Condition) <= sizeof(cnd_t));
static_assert(sizeof(Once) <= sizeof(once_flag));

namespace {

int result_of(int error) {
  switch (error) {
  case 0:
    return thrd_success;
  case EBUSY:
    return thrd_busy;
  case ENOMEM:
    return thrd_nomem;
  case ETIMEDOUT:
    return thrd_timedout;
  default:
    return thrd_error;
  }
}

pthread_mutex_t* posix(mtx_t* object) { return reinterpret_cast<pthread_mutex_t*>(object); }

} // namespace

// The int that the start function returns is the low half of the pointer that a POSIX thread returns, in the
// same register.
REEX_EXPORT int thrd_create(thrd_t* thread, thrd_start_t start, void* argument) {
  return result_of(create_thread(thread, nullptr,
                                 reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(start)), argument,
                                 REEX_CALLER, REEX_FRAME));
}

REEX_EXPORT int thrd_join(thrd_t thread, int* result) {
  void* value = nullptr;
  const int error = join_thread(thread, &value, k_never, REEX_CALLER, REEX_FRAME);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return result_of(error);
}

REEX_EXPORT int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }

REEX_EXPORT void thrd_exit(int result) {
  leave_thread(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

REEX_EXPORT int mtx_init(mtx_t* object, int type) {
  if (type < mtx_plain || type > (mtx_timed | mtx_recursive)) return thrd_error;
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  object_at<Mutex>(object).kind =
      (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
  return thrd_success;
}

REEX_EXPORT int mtx_trylock(mtx_t* object) {
  return result_of(try_lock_mutex(posix(object), REEX_READ_CALLER));
}

REEX_EXPORT int mtx_timedlock(mtx_t* object, const timespec* time) {
  return result_of(lock_mutex_until(posix(object), CLOCK_REALTIME, time, REEX_READ_CALLER));
}

REEX_EXPORT int cnd_init(cnd_t* object) {
  begin_life(object, REEX_CALLER);
  memset(object, 0, sizeof *object);
  return thrd_success;
}

REEX_EXPORT int cnd_timedwait(cnd_t* object, mtx_t* lock, const timespec* time) {
  return result_of(wait_on_condition(reinterpret_cast<pthread_cond_t*>(object), posix(lock), CLOCK_REALTIME,
                                     time, REEX_READ_CALLER));
}

REEX_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return result_of(pthread_key_create(key, destructor));
}

REEX_EXPORT void tss_delete(tss_t key) { pthread_key_delete(key); }

REEX_EXPORT int tss_set(tss_t key, void* value) { return result_of(pthread_setspecific(key, value)); }
