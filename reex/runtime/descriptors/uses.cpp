// g_last belongs to one execution: an entry with another execution's number is empty.
#include "reex/runtime/descriptors/uses.h"

#include <sys/stat.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"
#include "reex/runtime/order/shadow_memory.h"
#include "reex/shared/descriptor_objects.h"

namespace reex {
namespace {

// What was behind the number at its last use.
struct Last {
  std::uint32_t execution;
  bool closed; // by close(), which was seen
  dev_t device;
  ino_t inode;
};
Last g_last[k_watched_descriptors];

bool is_watched(int descriptor) {
  return g_watching && g.active && descriptor >= 0 &&
         static_cast<unsigned>(descriptor) < k_watched_descriptors;
}
bool is_watched(int descriptor, const void* pc) {
  return is_watched(descriptor) && !is_opaque(reinterpret_cast<std::uint64_t>(pc));
}

void record(int descriptor, FindingAct act, const void* pc) {
  watch_access(reinterpret_cast<const void*>(descriptor_object(static_cast<unsigned>(descriptor))), k_granule,
               act, const_cast<void*>(pc));
}

void forget(int descriptor) {
  watch_renewed(reinterpret_cast<const void*>(descriptor_object(static_cast<unsigned>(descriptor))),
                k_granule);
}

// If the number is not open, the last records stay: they are those of who closed it.
Last& look_at(int descriptor) {
  Last& last = g_last[descriptor];
  struct stat status {};
  if (raw_syscall(SYS_fstat, descriptor, as_long(&status)) != 0) return last;
  if (last.execution == g_execution &&
      (last.closed || last.device != status.st_dev || last.inode != status.st_ino))
    forget(descriptor);
  last = {g_execution, false, status.st_dev, status.st_ino};
  return last;
}

} // namespace

void use_descriptor(int descriptor, const void* pc) {
  if (!is_watched(descriptor, pc)) return;
  look_at(descriptor);
  record(descriptor, FindingAct::used, pc);
}

void close_descriptor(int descriptor, const void* pc) {
  if (!is_watched(descriptor, pc)) return forget_descriptor(descriptor);
  Last& last = look_at(descriptor);
  record(descriptor, FindingAct::destroyed, pc);
  last.closed = true;
}

void replace_descriptor(int descriptor, const void* pc) {
  if (!is_watched(descriptor, pc)) return forget_descriptor(descriptor);
  look_at(descriptor);
  record(descriptor, FindingAct::used, pc);
  forget_descriptor(descriptor);
  record(descriptor, FindingAct::used, pc);
}

void forget_descriptor(int descriptor) {
  if (!is_watched(descriptor)) return;
  forget(descriptor);
  g_last[descriptor].execution = 0;
}

} // namespace reex
