// Functions that POSIX and C11 synchronization share. `pc` and `frame` are those of the call in the test.
#pragma once

#include <ctime>
#include <pthread.h>

namespace reex {

int lock_mutex_until(pthread_mutex_t* object, clockid_t clock, const timespec* time, void* pc, void* frame);
int try_lock_mutex(pthread_mutex_t* object, void* pc, void* frame);
int wait_on_condition(pthread_cond_t* object, pthread_mutex_t* lock, clockid_t clock, const timespec* time,
                      void* pc, void* frame);

} // namespace reex
