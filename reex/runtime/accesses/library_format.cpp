// snprintf and its relatives: the text that they write. What the arguments of %s read is not seen.
#include <algorithm>
#include <cstdarg>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

using namespace reex;
using Size = std::size_t;

namespace {

constinit Real<int(char*, Size, const char*, std::va_list)> g_vsnprintf("vsnprintf");
constinit Real<int(char*, const char*, std::va_list)> g_vsprintf("vsprintf");
constinit Real<int(char*, Size, int, Size, const char*, std::va_list)> g_vsnprintf_chk("__vsnprintf_chk");
constinit Real<int(char*, int, Size, const char*, std::va_list)> g_vsprintf_chk("__vsprintf_chk");

constexpr Size k_unlimited = ~Size{0};

// `format` writes the text to `to`, at most `room` bytes with its end, and returns its length.
template <typename Format>
int writes(char* to, Size room, void* pc, Format format) {
  if (room == 0) to = nullptr;
  will_write_buffer(to, pc);
  const int length = format();
  if (length >= 0) writes_buffer(to, static_cast<long>(std::min<Size>(Size(length) + 1, room)), pc);
  return length;
}

} // namespace

REEX_LIBRARY_FUNCTION(int, library_vsnprintf, "vsnprintf", char* to, Size room, const char* format,
                      std::va_list list) {
  return writes(to, room, REEX_CALLER, [&] { return g_vsnprintf(to, room, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsprintf, "vsprintf", char* to, const char* format, std::va_list list) {
  return writes(to, k_unlimited, REEX_CALLER, [&] { return g_vsprintf(to, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsnprintf_chk, "__vsnprintf_chk", char* to, Size room, int flag, Size size,
                      const char* format, std::va_list list) {
  return writes(to, room, REEX_CALLER, [&] { return g_vsnprintf_chk(to, room, flag, size, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsprintf_chk, "__vsprintf_chk", char* to, int flag, Size size,
                      const char* format, std::va_list list) {
  return writes(to, k_unlimited, REEX_CALLER, [&] { return g_vsprintf_chk(to, flag, size, format, list); });
}

#define REEX_WITH_LIST(call)                                                                                 \
  std::va_list list;                                                                                         \
  va_start(list, format);                                                                                    \
  const int length = call;                                                                                   \
  va_end(list);                                                                                              \
  return length

REEX_LIBRARY_FUNCTION(int, library_snprintf, "snprintf", char* to, Size room, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, room, pc, [&] { return g_vsnprintf(to, room, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_sprintf, "sprintf", char* to, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, pc, [&] { return g_vsprintf(to, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_snprintf_chk, "__snprintf_chk", char* to, Size room, int flag, Size size,
                      const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, room, pc, [&] { return g_vsnprintf_chk(to, room, flag, size, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_sprintf_chk, "__sprintf_chk", char* to, int flag, Size size,
                      const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, pc, [&] { return g_vsprintf_chk(to, flag, size, format, list); }));
}
