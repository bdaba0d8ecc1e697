// A name is known only within the test's process. The processes that it forks share the open semaphores.
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <sys/mman.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/shared_objects.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/primitives/named_semaphore.h"

namespace reex {
namespace {

constexpr unsigned k_most = 32;

struct Named {
  sem_t semaphore;
  unsigned references;
  bool linked; // the name still exists; without a name and open references the entry is free
  char name[NAME_MAX];
};

Named* g_named = nullptr; // k_most of them, in memory that forked processes share
Named g_snapshot[k_most];
constexpr long k_size = sizeof g_snapshot;
bool g_used = false;

std::span<Named> all() { return {g_named, k_most}; }

Named* find(const char* name) {
  for (Named& named : all())
    if (named.linked && strcmp(named.name, name) == 0) return &named;
  return nullptr;
}

sem_t* fail(int error) {
  errno = error;
  return SEM_FAILED;
}

sem_t* make(const char* name, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  for (Named& named : all()) {
    if (named.linked || named.references != 0) continue;
    if (g_sharing && named.name[0] != '\0') continue; // another process may still use it
    named = {};
    named.references = 1;
    named.linked = true;
    strcpy(named.name, name);
    object_at<Semaphore>(&named.semaphore).value = value;
    object_at<Semaphore>(&named.semaphore).process_shared = true;
    g_used = true;
    fingerprint_new_gate(&named.semaphore, object_at<Semaphore>(&named.semaphore).gate());
    return &named.semaphore;
  }
  return fail(ENFILE);
}

// What it does to the table of names, and when, others would not know.
void refuse_names_in_child() {
  if (g.forked_off) refuse("the name of a semaphore in a process that it forked");
}

} // namespace

void make_room_for_named_semaphores() {
  const long where = g_named == nullptr ? 0 : MAP_FIXED;
  const long room = raw_syscall(SYS_mmap, as_long(g_named), k_size, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | where, -1, 0);
  if (room < 0 && room > -4096) internal_error("no memory for named semaphores");
  g_named = reinterpret_cast<Named*>(room);
}

bool has_named_semaphores() { return g_used; }

void snapshot_named_semaphores() {
  if (g_used) memcpy(g_snapshot, g_named, k_size);
}

void restore_named_semaphores() {
  if (g_used) memcpy(g_named, g_snapshot, k_size);
}

} // namespace reex

using namespace reex;

REEX_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  [[maybe_unused]] const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
  va_end(list);
  if (strlen(name) >= NAME_MAX) return fail(ENAMETOOLONG);
  refuse_names_in_child();
  REEX_POINT(Operation::semaphore_value, nullptr);
  if (Named* there = find(name); there != nullptr) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return fail(EEXIST);
    ++there->references;
    return &there->semaphore;
  }
  return (flags & O_CREAT) != 0 ? make(name, value) : fail(ENOENT);
}

REEX_EXPORT int sem_close(sem_t* object) noexcept {
  if (g.forked_off) return 0; // it remains open in the test's process
  for (Named& named : all())
    if (named.references != 0 && &named.semaphore == object) {
      --named.references;
      return 0;
    }
  errno = EINVAL;
  return -1;
}

REEX_EXPORT int sem_unlink(const char* name) noexcept {
  refuse_names_in_child();
  REEX_POINT(Operation::semaphore_value, nullptr);
  Named* there = find(name);
  if (there == nullptr) {
    errno = ENOENT;
    return -1;
  }
  there->linked = false;
  return 0;
}
