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
constinit Real<wchar_t*(const wchar_t*, wchar_t, Size)> g_wmemchr("wmemchr");
constinit Real<int(const wchar_t*, const wchar_t*, Size)> g_wmemcmp("wmemcmp");
constinit Real<void*(const void*, int, Size)> g_memrchr("memrchr");
constinit Real<void*(const void*, int)> g_rawmemchr("rawmemchr");
constinit Real<void*(const void*, Size, const void*, Size)> g_memmem("memmem");
constinit Real<void*(void*, const void*, int, Size)> g_memccpy("memccpy");
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

// Reads up to the first elements that differ, and no further.
template <typename Element>
void compares(const Element* a, const Element* b, Size count, void* pc) {
  if (count == 0 || !is_watched(pc)) return;
  reach_read(a, pc);
  reach_read(b, pc);
  Size read = 1;
  while (read < count && a[read - 1] == b[read - 1]) ++read;
  watch_read(a, read * sizeof *a, pc);
  watch_read(b, read * sizeof *b, pc);
}

void compares(const void* a, const void* b, Size size, void* pc) {
  compares(static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), size, pc);
}

Size distance(const void* from, const void* to) {
  return static_cast<Size>(static_cast<const char*>(to) - static_cast<const char*>(from));
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
  watch_read(in, found == nullptr ? size : distance(in, found) + 1, pc);
  return found;
}

REEX_LIBRARY_FUNCTION(wchar_t*, library_wmemchr, "wmemchr", const wchar_t* in, wchar_t value, Size count) {
  void* const pc = REEX_CALLER;
  if (!g_watching || count == 0 || !is_watched(pc)) [[likely]]
    return g_wmemchr(in, value, count);
  reach_read(in, pc);
  wchar_t* found = g_wmemchr(in, value, count);
  watch_read(in, found == nullptr ? count * sizeof *in : distance(in, found) + sizeof *in, pc);
  return found;
}

REEX_LIBRARY_FUNCTION(int, library_wmemcmp, "wmemcmp", const wchar_t* a, const wchar_t* b, Size count) {
  if (g_watching) [[unlikely]]
    compares(a, b, count, REEX_CALLER);
  return g_wmemcmp(a, b, count);
}

REEX_LIBRARY_FUNCTION(void*, library_memrchr, "memrchr", const void* in, int value, Size size) {
  void* const pc = REEX_CALLER;
  if (!g_watching || size == 0 || !is_watched(pc)) [[likely]]
    return g_memrchr(in, value, size);
  reach_read(in, pc);
  void* found = g_memrchr(in, value, size);
  const void* const first = found == nullptr ? in : found;
  watch_read(first, size - distance(in, first), pc);
  return found;
}

REEX_LIBRARY_FUNCTION(void*, library_rawmemchr, "rawmemchr", const void* in, int value) {
  void* const pc = REEX_CALLER;
  if (!g_watching || !is_watched(pc)) [[likely]]
    return g_rawmemchr(in, value);
  reach_read(in, pc);
  void* found = g_rawmemchr(in, value);
  watch_read(in, distance(in, found) + 1, pc);
  return found;
}

REEX_LIBRARY_FUNCTION(void*, library_memmem, "memmem", const void* in, Size size, const void* wanted,
                      Size wanted_size) {
  void* const pc = REEX_CALLER;
  if (!g_watching || !is_watched(pc)) [[likely]]
    return g_memmem(in, size, wanted, wanted_size);
  reach_read(in, pc);
  reach_read(wanted, pc);
  void* found = g_memmem(in, size, wanted, wanted_size);
  watch_read(wanted, wanted_size, pc);
  watch_read(in, found == nullptr ? size : distance(in, found) + wanted_size, pc);
  return found;
}

REEX_LIBRARY_FUNCTION(void*, library_memccpy, "memccpy", void* to, const void* from, int last, Size size) {
  void* const pc = REEX_CALLER;
  if (!g_watching || size == 0 || !is_watched(pc)) [[likely]]
    return g_memccpy(to, from, last, size);
  reach_read(from, pc);
  reach_write(to, pc);
  void* end = g_memccpy(to, from, last, size);
  const Size copied = end == nullptr ? size : distance(to, end);
  watch_read(from, copied, pc);
  watch_write(to, copied, pc);
  return end;
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
