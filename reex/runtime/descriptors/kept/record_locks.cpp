#include "reex/runtime/descriptors/kept/record_locks.h"

#include <fcntl.h>

#include "reex/runtime/descriptors/kept/open_descriptors.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

struct RecordLock {
  int number; // of a descriptor
  struct flock what;
};

constexpr unsigned k_most = 256;
RecordLock g_locks[k_most];
unsigned g_lock_count = 0;

void remember_lock(int number, const struct flock& what) {
  if (g_lock_count < k_most) g_locks[g_lock_count++] = {number, what};
}

void set(const RecordLock& lock, short type) {
  struct flock what = lock.what;
  what.l_type = type;
  raw_syscall(SYS_fcntl, lock.number, F_SETLK, as_long(&what));
}

} // namespace

void give_back_record_locks() {
  each_open_descriptor([](int number) { each_record_lock(number, remember_lock); });
  for (unsigned i = 0; i < g_lock_count; ++i) set(g_locks[i], F_UNLCK);
}

void take_record_locks() {
  for (unsigned i = 0; i < g_lock_count; ++i) set(g_locks[i], g_locks[i].what.l_type);
}

bool has_record_locks() { return g_lock_count != 0; }

} // namespace reex
