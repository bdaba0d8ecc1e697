// The variables of this file belong to a worker; prepare_restore_check sets them once.
#include "reex/runtime/worker/restore_check.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr char k_variable[] = "REEX_RESTORE_CHECK";
constexpr std::size_t k_page = 4096;
constexpr std::size_t k_room = std::size_t{1} << 20;
constexpr unsigned k_most_executions = 12;

char* g_text = nullptr; // the file
std::size_t g_used = 0;
char* g_image = nullptr; // of all segments, one after the other
std::uintptr_t g_base = 0;
unsigned g_executions = 0;

char* map(std::size_t size, long file) {
  const long flags = file < 0 ? MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
  const long address =
      raw_syscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE, flags, file, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<char*>(address);
}

bool is_empty(const char* page) {
  static const char empty[k_page] = {};
  return memcmp(page, empty, k_page) == 0;
}

void tell(const char* at, std::size_t size) {
  if (g_used + 64 < k_room)
    g_used += static_cast<std::size_t>(snprintf(g_text + g_used, 64, "%u %zx %zu\n", g_executions,
                                                reinterpret_cast<std::uintptr_t>(at) - g_base, size));
}

// Each run of bytes that differ.
void compare(const char* now, const char* first) {
  if (memcmp(now, first, k_page) == 0) return;
  for (std::size_t at = 0; at < k_page; ++at) {
    std::size_t end = at;
    while (end < k_page && now[end] != first[end]) ++end;
    if (end > at) tell(now + at, end - at);
    at = end;
  }
}

template <typename Visit>
void each_page(Visit visit) {
  unsigned count = 0;
  const Segment* data = runtime_data(count);
  char* image = g_image;
  for (unsigned i = 0; i < count; ++i)
    for (char* page = data[i].low; page < data[i].high; page += k_page, image += k_page) visit(page, image);
}

} // namespace

void prepare_restore_check() {
  const char* path = getenv(k_variable);
  Dl_info own;
  if (path == nullptr || dladdr(reinterpret_cast<void*>(&prepare_restore_check), &own) == 0) return;
  const long file =
      raw_syscall(SYS_openat, AT_FDCWD, as_long(path), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || raw_syscall(SYS_ftruncate, file, k_room) < 0) return;
  unsigned count = 0;
  std::size_t size = 0;
  const Segment* data = runtime_data(count);
  for (unsigned i = 0; i < count; ++i) size += static_cast<std::size_t>(data[i].high - data[i].low) + k_page;
  g_base = reinterpret_cast<std::uintptr_t>(own.dli_fbase);
  g_text = map(k_room, file);
  g_image = map(size, -1);
  raw_syscall(SYS_close, file);
}

void check_restore() {
  if (g_text == nullptr || g_image == nullptr || ++g_executions > k_most_executions) return;
  if (g_executions == 1) {
    each_page([](const char* page, char* image) {
      if (!is_empty(page)) memcpy(image, page, k_page); // an empty page stays without memory
    });
    return;
  }
  each_page([](const char* page, const char* image) { compare(page, image); });
  g_used += static_cast<std::size_t>(snprintf(g_text + g_used, 64, "%u compared\n", g_executions));
}

} // namespace reex
