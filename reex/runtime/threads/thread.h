// Functions that POSIX threads and C11 threads share. `pc` and `frame` are those of the call in the test.
#pragma once

#include <csignal>
#include <cstdint>
#include <pthread.h>

namespace reex {

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
                  void* pc, void* frame);
int join_thread(pthread_t thread, void** result, std::uint64_t deadline, void* pc, void* frame);

// Starts the detached thread that SIGEV_THREAD asks for, if that is possible, with these signals blocked. It
// has its copy of the event when this returns.
void notify_by_thread(const sigevent& event, std::uint64_t blocked, void* pc, void* frame);

} // namespace reex
