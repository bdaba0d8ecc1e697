// Functions of libc that the runtime's own definitions hide, and some that are internal to libc. find_libc
// looks them up once; they never change afterwards.
#pragma once

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <spawn.h>

namespace reex {

struct Libc {
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*pthread_getattr_np)(pthread_t, pthread_attr_t*);
  void (*call_tls_dtors)();
  const std::ptrdiff_t* rseq_offset; // null before glibc 2.35
  const unsigned* rseq_size;
  int (*vfprintf)(FILE*, const char*, std::va_list);
  int (*vfprintf_chk)(FILE*, int, const char*, std::va_list);
  int (*fputs)(const char*, FILE*);
  int (*puts)(const char*);
  int (*fputc)(int, FILE*);
  std::size_t (*fwrite)(const void*, std::size_t, std::size_t, FILE*);
  int (*fflush)(FILE*);
  int (*fclose)(FILE*);
  void (*flockfile)(FILE*);
  int (*ftrylockfile)(FILE*);
  void (*funlockfile)(FILE*);
  int (*fgetc)(FILE*);
  char* (*fgets)(char*, int, FILE*);
  char* (*fgets_chk)(char*, std::size_t, int, FILE*);
  std::size_t (*fread)(void*, std::size_t, std::size_t, FILE*);
  std::size_t (*fread_chk)(void*, std::size_t, std::size_t, std::size_t, FILE*);
  long (*getdelim)(char**, std::size_t*, int, FILE*);
  int (*fork)();
  int (*fork_alone)(); // without handlers: _Fork; fork before glibc 2.34
  int (*register_atfork)(void (*)(), void (*)(), void (*)(), void*);
  void (*cxa_finalize)(void*);
  int (*posix_spawn)(int*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                     char* const*, char* const*);
  int (*posix_spawnp)(int*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                      char* const*, char* const*);
  FILE* (*popen)(const char*, const char*);
  int (*system)(const char*);
  FILE* (*fopen)(const char*, const char*);
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  void (*siglongjmp)(__jmp_buf_tag*, int);
  void (*verbose_terminate)(); // of libstdc++; null if the test does not use it
  int (*start_main)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
};

const Libc& libc();
void find_libc(); // once, when the library is loaded

} // namespace reex
