// Blocks of memory: memcpy and similar functions, also those of _FORTIFY_SOURCE. The linker (--wrap) directs
// the runtime's own calls, and those that the compiler makes for its assignments, to the real functions.
#include "reex/runtime/accesses/access.h"
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;
using Size = std::size_t;

namespace {

constinit Real<void*(void*, const void*, Size)> g_memcpy("memcpy");
constinit Real<void*(void*, const void*, Size)> g_memmove("memmove");
constinit Real<void*(void*, const void*, Size)> g_mempcpy("mempcpy");
constinit Real<void*(void*, int, Size)> g_memset("memset");
constinit Real<void(void*, Size)> g_bzero("bzero");
constinit Real<void(void*, Size)> g_explicit_bzero("explicit_bzero");
constinit Real<void(const void*, void*, Size)> g_bcopy("bcopy");
constinit Real<int(const void*, const void*, Size)> g_memcmp("memcmp");
constinit Real<int(const void*, const void*, Size)> g_bcmp("bcmp");
constinit Real<void*(const void*, int, Size)> g_memchr("memchr");
constinit Real<void*(void*, const void*, Size, Size)> g_memcpy_chk("__memcpy_chk");
constinit Real<void*(void*, const void*, Size, Size)> g_memmove_chk("__memmove_chk");
constinit Real<void*(void*, const void*, Size, Size)> g_mempcpy_chk("__mempcpy_chk");
constinit Real<void*(void*, int, Size, Size)> g_memset_chk("__memset_chk");

void copies(void* to, const void* from, Size size, void* pc) {
  if (size == 0 || !is_watched(pc)) return;
  access(from, size, false, pc);
  access(to, size, true, pc);
}

void fills(void* to, Size size, void* pc) {
  if (size != 0 && is_watched(pc)) access(to, size, true, pc);
}

// Reads up to the first bytes that differ, and no further.
void compares(const void* a, const void* b, Size size, void* pc) {
  if (size == 0 || !is_watched(pc)) return;
  reach_read(a, pc);
  reach_read(b, pc);
  const auto* left = static_cast<const unsigned char*>(a);
  const auto* right = static_cast<const unsigned char*>(b);
  Size read = 1;
  while (read < size && left[read - 1] == right[read - 1]) ++read;
  watch_read(a, read, pc);
  watch_read(b, read, pc);
}

} // namespace

REEX_LIBRARY_FUNCTION(void*, library_memcpy, "memcpy", void* to, const void* from, Size size) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_memcpy(to, from, size);
}

REEX_LIBRARY_FUNCTION(void*, library_memmove, "memmove", void* to, const void* from, Size size) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_memmove(to, from, size);
}

REEX_LIBRARY_FUNCTION(void*, library_mempcpy, "mempcpy", void* to, const void* from, Size size) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_mempcpy(to, from, size);
}

REEX_LIBRARY_FUNCTION(void*, library_memset, "memset", void* to, int value, Size size) {
  if (g_watching) [[unlikely]]
    fills(to, size, REEX_CALLER);
  return g_memset(to, value, size);
}

REEX_LIBRARY_FUNCTION(void, library_bzero, "bzero", void* to, Size size) {
  if (g_watching) [[unlikely]]
    fills(to, size, REEX_CALLER);
  g_bzero(to, size);
}

REEX_LIBRARY_FUNCTION(void, library_explicit_bzero, "explicit_bzero", void* to, Size size) {
  if (g_watching) [[unlikely]]
    fills(to, size, REEX_CALLER);
  g_explicit_bzero(to, size);
}

REEX_LIBRARY_FUNCTION(void, library_bcopy, "bcopy", const void* from, void* to, Size size) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  g_bcopy(from, to, size);
}

REEX_LIBRARY_FUNCTION(int, library_memcmp, "memcmp", const void* a, const void* b, Size size) {
  if (g_watching) [[unlikely]]
    compares(a, b, size, REEX_CALLER);
  return g_memcmp(a, b, size);
}

REEX_LIBRARY_FUNCTION(int, library_bcmp, "bcmp", const void* a, const void* b, Size size) {
  if (g_watching) [[unlikely]]
    compares(a, b, size, REEX_CALLER);
  return g_bcmp(a, b, size);
}

REEX_LIBRARY_FUNCTION(void*, library_memchr, "memchr", const void* in, int value, Size size) {
  void* const pc = REEX_CALLER;
  if (!g_watching || size == 0 || !is_watched(pc)) [[likely]]
    return g_memchr(in, value, size);
  reach_read(in, pc);
  void* found = g_memchr(in, value, size);
  const auto* from = static_cast<const char*>(in);
  watch_read(in, found == nullptr ? size : static_cast<Size>(static_cast<char*>(found) - from) + 1, pc);
  return found;
}

REEX_LIBRARY_FUNCTION(void*, library_memcpy_chk, "__memcpy_chk", void* to, const void* from, Size size,
                      Size room) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_memcpy_chk(to, from, size, room);
}

REEX_LIBRARY_FUNCTION(void*, library_memmove_chk, "__memmove_chk", void* to, const void* from, Size size,
                      Size room) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_memmove_chk(to, from, size, room);
}

REEX_LIBRARY_FUNCTION(void*, library_mempcpy_chk, "__mempcpy_chk", void* to, const void* from, Size size,
                      Size room) {
  if (g_watching) [[unlikely]]
    copies(to, from, size, REEX_CALLER);
  return g_mempcpy_chk(to, from, size, room);
}

REEX_LIBRARY_FUNCTION(void*, library_memset_chk, "__memset_chk", void* to, int value, Size size, Size room) {
  if (g_watching) [[unlikely]]
    fills(to, size, REEX_CALLER);
  return g_memset_chk(to, value, size, room);
}

// The functions that the runtime itself calls under these names.
extern "C" {
void* __wrap_memcpy(void* to, const void* from, Size size) { return g_memcpy(to, from, size); }
void* __wrap_memmove(void* to, const void* from, Size size) { return g_memmove(to, from, size); }
void* __wrap_memset(void* to, int value, Size size) { return g_memset(to, value, size); }
int __wrap_memcmp(const void* a, const void* b, Size size) { return g_memcmp(a, b, size); }
}
