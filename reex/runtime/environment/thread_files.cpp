#include "reex/runtime/environment/thread_files.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>

#include "reex/runtime/core/enabled.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/shared/hidden_objects.h"

namespace reex {
namespace {

bool skip(const char*& at, const char* text) {
  const std::size_t length = strlen(text);
  if (strncmp(at, text, length) != 0) return false;
  at += length;
  return true;
}

// Skips the number; -1: there is none.
long number_at(const char*& at) {
  char* end = nullptr;
  if (*at < '0' || *at > '9') return -1;
  const long number = strtol(at, &end, 10);
  at = end;
  return number;
}

// A folder below /proc.
struct Folder {
  bool found = false; // it is of the process or of one of its threads
  bool of_process = false;
  const Fiber* thread = nullptr; // of the process: its first
};

Folder folder_of(long number) {
  const long index = number - process_id();
  if (index < 0 || index >= static_cast<long>(g.created)) return {};
  return {.found = true, .thread = live_thread(static_cast<unsigned>(index))};
}

Folder skip_folder(const char*& at) {
  if (!skip(at, "/proc/")) return {};
  if (skip(at, "thread-self")) return {.found = true, .thread = g.current};
  if (!skip(at, "self")) {
    const long number = number_at(at);
    if (number != process_id()) return folder_of(number);
  }
  if (skip(at, "/task/")) return folder_of(number_at(at));
  return {.found = true, .of_process = true, .thread = &g_fibers[0]};
}

// In the middle of 52 numbers, nearly all of which are of memory and of times that no test has twice the
// same.
int write_numbers(const Fiber& thread, char* text, std::size_t size, char state) {
  constexpr const char* k_format =
      "%d (%s) %c %d %d 0 0 -1 0 0 0 0 0 0 0 0 0 20 0 %u 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
      "0 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
  const int process = process_id();
  return snprintf(text, size, k_format, process + static_cast<int>(thread.id), thread.own.name, state,
                  getppid(), process, g.live);
}

int write_lines(const Fiber& thread, char* text, std::size_t size, char state) {
  const int process = process_id();
  return snprintf(text, size, "Name:\t%s\nState:\t%c (%s)\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nThreads:\t%u\n",
                  thread.own.name, state, state == 'R' ? "running" : "sleeping", process,
                  process + static_cast<int>(thread.id), getppid(), g.live);
}

// Whether a thread can go on depends on what all others have done.
char state_of(const Fiber& thread) {
  fingerprint_fence();
  return &thread == g.current || is_enabled(thread, false) ? 'R' : 'S';
}

int write_text(const ThreadFile& file, char* text, std::size_t size) {
  const Fiber& thread = *file.thread;
  switch (file.text) {
  case ThreadText::numbers:
    return write_numbers(thread, text, size, state_of(thread));
  case ThreadText::lines:
    return write_lines(thread, text, size, state_of(thread));
  case ThreadText::name:
  case ThreadText::none:
    break;
  }
  return snprintf(text, size, "%s\n", thread.own.name);
}

} // namespace

// Of the process, only its name is that of its first thread. All else the kernel knows.
ThreadFile thread_file(const char* path) {
  if (!g.controlled || g.forked_off || path == nullptr) return {};
  const Folder folder = skip_folder(path);
  if (!folder.found) return {};
  if (strcmp(path, "/comm") == 0) return {ThreadText::name, folder.thread};
  if (folder.of_process) return {};
  if (strcmp(path, "/stat") == 0) return {ThreadText::numbers, folder.thread};
  if (strcmp(path, "/status") == 0) return {ThreadText::lines, folder.thread};
  return {};
}

int open_thread_file(const ThreadFile& file, int flags) {
  if (file.thread == nullptr) {
    fingerprint_fence(); // that it has ended is seen
    errno = ENOENT;
    return -1;
  }
  if (!is_alone()) {
    void* const object = reinterpret_cast<void*>(thread_name_object(file.thread->id));
    REEX_READ_POINT(Operation::library_read, object);
    note_read(object, 0);
  }
  const long opened =
      raw_syscall(SYS_memfd_create, as_long("comm"), (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  if (opened < 0) {
    errno = static_cast<int>(-opened);
    return -1;
  }
  char text[512];
  raw_syscall(SYS_write, opened, as_long(text), write_text(file, text, sizeof text));
  raw_syscall(SYS_lseek, opened, 0, SEEK_SET);
  return static_cast<int>(opened);
}

} // namespace reex
