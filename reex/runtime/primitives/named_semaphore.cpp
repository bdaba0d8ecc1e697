// A name is known only within the test's process.
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>
#include <fcntl.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/objects.h"
#include "reex/runtime/core/visible.h"
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

Named g_named[k_most];
Named g_snapshot[k_most];
bool g_used = false;

Named* find(const char* name) {
  for (Named& named : g_named)
    if (named.linked && strcmp(named.name, name) == 0) return &named;
  return nullptr;
}

sem_t* fail(int error) {
  errno = error;
  return SEM_FAILED;
}

sem_t* make(const char* name, unsigned value) {
  if (value > SEM_VALUE_MAX) return fail(EINVAL);
  for (Named& named : g_named) {
    if (named.linked || named.references != 0) continue;
    named = {};
    named.references = 1;
    named.linked = true;
    strcpy(named.name, name);
    object_at<Semaphore>(&named.semaphore).value = value;
    g_used = true;
    fingerprint_new_gate(&named.semaphore, object_at<Semaphore>(&named.semaphore).gate());
    return &named.semaphore;
  }
  return fail(ENFILE);
}

} // namespace

void refuse_named_in_child(const void* semaphore) {
  const auto* const at = static_cast<const char*>(semaphore);
  const auto* const low = reinterpret_cast<const char*>(g_named);
  if (g.forked_off && at >= low && at < low + sizeof g_named)
    refuse("a named semaphore in a process that it forked");
}

void snapshot_named_semaphores() {
  if (g_used) memcpy(g_snapshot, g_named, sizeof g_named);
}

void restore_named_semaphores() {
  if (g_used) memcpy(g_named, g_snapshot, sizeof g_named);
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
  REEX_POINT(Operation::semaphore_value, nullptr);
  if (Named* there = find(name); there != nullptr) {
    if ((flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return fail(EEXIST);
    ++there->references;
    return &there->semaphore;
  }
  return (flags & O_CREAT) != 0 ? make(name, value) : fail(ENOENT);
}

REEX_EXPORT int sem_close(sem_t* object) noexcept {
  for (Named& named : g_named)
    if (named.references != 0 && &named.semaphore == object) {
      --named.references;
      return 0;
    }
  errno = EINVAL;
  return -1;
}

REEX_EXPORT int sem_unlink(const char* name) noexcept {
  REEX_POINT(Operation::semaphore_value, nullptr);
  Named* there = find(name);
  if (there == nullptr) {
    errno = ENOENT;
    return -1;
  }
  there->linked = false;
  return 0;
}
