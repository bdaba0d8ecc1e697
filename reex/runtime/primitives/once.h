// The two halves of pthread_once around the user's routine. once.c uses them; it is C because of its cleanup
// attribute.
#pragma once

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns 1 if the caller shall run the routine.
int reex_once_begin(pthread_once_t* object, void* pc, void* frame);
// done 0: an exception left the routine, which may be tried again.
void reex_once_end(pthread_once_t* object, int done, void* pc, void* frame);

#ifdef __cplusplus
}
#endif
