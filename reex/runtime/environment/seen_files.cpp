// g_began and g_changed belong to one execution: begin_seeing_files sets them back. g_known holds for all.
#include "reex/runtime/environment/seen_files.h"

#include <cstdint>
#include <cstring>
#include <ctime>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/unexplored.h"
#include "reex/search/mix.h"

namespace reex {
namespace {

constexpr long k_looked_at = 64 << 10;

timespec g_began{};     // of the system's clock. In a worker that restores: before it first changed a file
bool g_changed = false; // a worker that restores has changed files

// What was read of a file. A test may open the same one in each execution.
struct Known {
  dev_t device;
  ino_t inode;
  off_t size;
  timespec changed;
  std::uint64_t hash;
};
constexpr unsigned k_known = 64;
Known g_known[k_known];

void begin_now() { raw_syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, as_long(&g_began)); }

bool is_written_since(const timespec& time) {
  return (!g.in_place || g_changed) &&
         (time.tv_sec > g_began.tv_sec || (time.tv_sec == g_began.tv_sec && time.tv_nsec >= g_began.tv_nsec));
}

// Their contents depend on the process and the moment.
bool tells_of_the_system(int descriptor) {
  struct statfs system {};
  if (raw_syscall(SYS_fstatfs, descriptor, as_long(&system)) != 0) return true;
  return system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC ||
         system.f_type == CGROUP_SUPER_MAGIC || system.f_type == CGROUP2_SUPER_MAGIC;
}

std::uint64_t hash_of(int descriptor, long size) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(size));
  std::uint64_t block[256];
  for (long at = 0; at < k_looked_at;) {
    memset(block, 0, sizeof block);
    const long got = raw_syscall(SYS_pread64, descriptor, as_long(block), sizeof block, at);
    if (got <= 0) break;
    for (const std::uint64_t word : block) hash = mix(hash ^ word);
    at += got;
  }
  return hash;
}

// Whatever changes the file from now on also changes this time, which the kernel counts in milliseconds.
bool is_long_ago(const timespec& time) {
  timespec now{};
  raw_syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, as_long(&now));
  return time.tv_sec + 1 < now.tv_sec;
}

std::uint64_t content_of(int descriptor, const struct stat& status) {
  Known& known = g_known[status.st_ino % k_known];
  if (known.inode == status.st_ino && known.device == status.st_dev && known.size == status.st_size &&
      known.changed.tv_sec == status.st_ctim.tv_sec && known.changed.tv_nsec == status.st_ctim.tv_nsec)
    return known.hash;
  const bool may_be_kept = is_long_ago(status.st_ctim);
  const std::uint64_t hash = hash_of(descriptor, status.st_size);
  if (may_be_kept) known = {status.st_dev, status.st_ino, status.st_size, status.st_ctim, hash};
  return hash;
}

} // namespace

void begin_seeing_files() {
  g_changed = false;
  if (!g.in_place) begin_now();
}

void note_changed_files() {
  if (!g_changed) begin_now();
  g_changed = true;
}

bool has_changed_files() { return g_changed; }

void see_file(const char* path, int descriptor) {
  struct stat status {};
  if (!g.controlled || g.forked_off || raw_syscall(SYS_fstat, descriptor, as_long(&status)) != 0 ||
      !S_ISREG(status.st_mode) || is_written_since(status.st_mtim) || tells_of_the_system(descriptor))
    return;
  note_file(path, content_of(descriptor, status));
}

} // namespace reex
