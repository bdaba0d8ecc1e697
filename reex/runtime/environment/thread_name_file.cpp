#include "reex/runtime/environment/thread_name_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>

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

bool skip_own_process(const char*& at) {
  if (!skip(at, "/proc/")) return false;
  return skip(at, "self") || number_at(at) == process_id();
}

} // namespace

const Fiber* thread_of_name_file(const char* path) {
  if (!g.controlled || g.forked_off || path == nullptr) return nullptr;
  if (strcmp(path, "/proc/thread-self/comm") == 0) return g.current;
  if (!skip_own_process(path)) return nullptr;
  if (strcmp(path, "/comm") == 0) return &g_fibers[0];
  if (!skip(path, "/task/")) return nullptr;
  const long number = number_at(path) - process_id();
  return number < 0 || strcmp(path, "/comm") != 0 ? nullptr : live_thread(static_cast<unsigned>(number));
}

int open_name_of(const Fiber& thread, int flags) {
  if (!is_alone()) {
    void* const object = reinterpret_cast<void*>(thread_name_object(thread.id));
    REEX_READ_POINT(Operation::library_read, object);
    note_read(object, 0);
  }
  const long file =
      raw_syscall(SYS_memfd_create, as_long("comm"), (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  if (file < 0) {
    errno = static_cast<int>(-file);
    return -1;
  }
  raw_syscall(SYS_write, file, as_long(thread.own.name), static_cast<long>(strlen(thread.own.name)));
  raw_syscall(SYS_write, file, as_long("\n"), 1);
  raw_syscall(SYS_lseek, file, 0, SEEK_SET);
  return static_cast<int>(file);
}

} // namespace reex
