// The halves of pthread_once around the user's routine; used by once.c, which is C for its cleanup attribute.
#pragma once

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

// 1: the caller is to run the routine.
int reex_once_begin(pthread_once_t* object, void* pc, void* frame);
// done 0: the routine left by an exception and may be tried again.
void reex_once_end(pthread_once_t* object, int done, void* pc, void* frame);

#ifdef __cplusplus
}
#endif
