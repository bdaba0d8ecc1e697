#include "reex/runtime/environment/thread_folder.h"

#include <cstdio>
#include <cstring>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/process_id.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/fingerprint.h"

namespace reex {
namespace {

constexpr unsigned k_streams = 64; // as many folders can be listed at the same time
dirent g_entries[k_streams];       // the last entry of each, by descriptor

// The live thread with the lowest number from this one on; null: there is none.
const Fiber* thread_from(long number) {
  for (const Fiber* fiber : alive())
    if (fiber->id >= number) return fiber;
  return nullptr;
}

} // namespace

bool lists_threads(int descriptor) {
  if (!g.controlled || g.forked_off) return false;
  char link[64];
  char path[64];
  char own[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long length = raw_syscall(SYS_readlink, as_long(link), as_long(path), sizeof path);
  const int own_length = snprintf(own, sizeof own, "/proc/%ld/task", raw_syscall(SYS_getpid));
  return length == own_length && memcmp(path, own, static_cast<std::size_t>(length)) == 0;
}

// Position 0 is ".", 1 is "..", and the threads follow by their numbers.
dirent* next_thread(int descriptor) {
  constexpr long k_dots = 2;
  fingerprint_fence(); // the ends of threads are seen
  long position = raw_syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
  dirent& entry = g_entries[static_cast<unsigned>(descriptor) % k_streams];
  entry = {};
  entry.d_type = DT_DIR;
  entry.d_reclen = sizeof entry;
  if (position < k_dots) {
    strcpy(entry.d_name, position == 0 ? "." : "..");
  } else {
    const Fiber* thread = thread_from(position - k_dots);
    if (thread == nullptr) return nullptr;
    position = thread->id + k_dots;
    snprintf(entry.d_name, sizeof entry.d_name, "%d", process_id() + thread->id);
  }
  entry.d_ino = static_cast<ino_t>(++position);
  entry.d_off = position;
  raw_syscall(SYS_lseek, descriptor, position, SEEK_SET);
  return &entry;
}

} // namespace reex
