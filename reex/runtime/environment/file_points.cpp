// g_open_for_writing belongs to one execution: begin_file_points sets it.
#include "reex/runtime/environment/file_points.h"

#include <cstdint>
#include <cstring>
#include <fcntl.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/shared/hidden_objects.h"

namespace reex {
namespace {

bool g_open_for_writing = false;

void* all_files() { return reinterpret_cast<void*>(hidden_object(Hidden::files)); }

bool is_of_the_system(const char* path) {
  constexpr const char* k_folders[] = {"/proc/", "/sys/", "/dev/"};
  for (const char* folder : k_folders)
    if (strncmp(path, folder, strlen(folder)) == 0) return strncmp(path, "/dev/shm/", 9) != 0;
  return false;
}

} // namespace

void begin_file_points(bool open_for_writing) { g_open_for_writing = open_for_writing; }

void open_point(const char* path, int flags, void* pc, void* frame) {
  if (!g.active || path == nullptr || is_of_the_system(path)) return;
  fingerprint_dark(true);
  if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != 0) return write_point(pc, frame);
  if (g.live < 2) return;
  visible(Operation::library_read, all_files(), pc, frame);
  note_read(all_files(), 0);
}

void read_point(void* pc, void* frame) {
  if (!g.active) return;
  fingerprint_dark(true); // others may have opened a file for writing
  if (g.live < 2 || !g_open_for_writing) return;
  visible(Operation::library_read, all_files(), pc, frame);
  note_read(all_files(), 0);
}

void write_point(void* pc, void* frame) {
  if (!g.active) return;
  fingerprint_dark(true);
  g_open_for_writing = true;
  if (g.live > 1) visible(Operation::library_write, all_files(), pc, frame);
}

void file_is_written() {
  if (!g.active || g.live < 2) return;
  if (g.beyond_limit) end_at_limit(); // what is in files is not compared there
  note_write(all_files());
  fingerprint_fence();
}

} // namespace reex
