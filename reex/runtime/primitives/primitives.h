// Functions that POSIX and C11 synchronization share. `pc` and `frame` are those of the call in the test.
#pragma once

#include <ctime>
#include <pthread.h>

#include "reex/runtime/core/objects.h"

namespace reex {

int lock_mutex(pthread_mutex_t* object, void* pc, void* frame);
int unlock_mutex(pthread_mutex_t* object, void* pc, void* frame);
int lock_mutex_until(pthread_mutex_t* object, clockid_t clock, const timespec* time, void* pc, void* frame);
int try_lock_mutex(pthread_mutex_t* object, void* pc, void* frame);
// The two halves of a condition's wait: its errors are those of unlocking and locking the mutex.
int unlock_for_wait(Mutex& mutex);
int lock_after_wait(Mutex& mutex);
int wait_on_condition(pthread_cond_t* object, pthread_mutex_t* lock, clockid_t clock, const timespec* time,
                      void* pc, void* frame);

} // namespace reex
