// snprintf and its relatives, the text that they write and those that they read; sscanf and its relatives.
#include <algorithm>
#include <cstdarg>

#include "reex/runtime/accesses/format_arguments.h"
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

// `call` writes the text to `to`, at most `room` bytes with its end, and returns its length.
template <typename Call>
int writes(char* to, Size room, const char* format, std::va_list list, void* pc, Call call) {
  if (room == 0) to = nullptr;
  reach_texts(format, list, pc);
  will_write_buffer(to, pc);
  read_texts(format, list, pc);
  const int length = call();
  if (length >= 0) writes_buffer(to, static_cast<long>(std::min<Size>(Size(length) + 1, room)), pc);
  return length;
}

} // namespace

REEX_LIBRARY_FUNCTION(int, library_vsnprintf, "vsnprintf", char* to, Size room, const char* format,
                      std::va_list list) {
  return writes(to, room, format, list, REEX_CALLER, [&] { return g_vsnprintf(to, room, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsprintf, "vsprintf", char* to, const char* format, std::va_list list) {
  return writes(to, k_unlimited, format, list, REEX_CALLER, [&] { return g_vsprintf(to, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsnprintf_chk, "__vsnprintf_chk", char* to, Size room, int flag, Size size,
                      const char* format, std::va_list list) {
  return writes(to, room, format, list, REEX_CALLER,
                [&] { return g_vsnprintf_chk(to, room, flag, size, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsprintf_chk, "__vsprintf_chk", char* to, int flag, Size size,
                      const char* format, std::va_list list) {
  return writes(to, k_unlimited, format, list, REEX_CALLER,
                [&] { return g_vsprintf_chk(to, flag, size, format, list); });
}

#define REEX_WITH_LIST(call)                                                                                 \
  std::va_list list;                                                                                         \
  va_start(list, format);                                                                                    \
  const int length = call;                                                                                   \
  va_end(list);                                                                                              \
  return length

REEX_LIBRARY_FUNCTION(int, library_snprintf, "snprintf", char* to, Size room, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, room, format, list, pc, [&] { return g_vsnprintf(to, room, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_sprintf, "sprintf", char* to, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, format, list, pc, [&] { return g_vsprintf(to, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_snprintf_chk, "__snprintf_chk", char* to, Size room, int flag, Size size,
                      const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, room, format, list, pc,
                        [&] { return g_vsnprintf_chk(to, room, flag, size, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_sprintf_chk, "__sprintf_chk", char* to, int flag, Size size,
                      const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, format, list, pc,
                        [&] { return g_vsprintf_chk(to, flag, size, format, list); }));
}

namespace {

// glibc looks for the end of the text before it scans it.
template <typename Scan>
int scans(const char* text, const char* format, std::va_list list, void* pc, Scan scan) {
  will_read_buffer(text, pc);
  reach_results(format, list, pc);
  reads_text(text, pc);
  const int assigned = scan();
  write_results(format, list, assigned, pc);
  return assigned;
}

} // namespace

// For C before C99, for later standards, and for C23.
#define REEX_SCAN_OF(prefix)                                                                                 \
  namespace {                                                                                                \
  constinit Real<int(const char*, const char*, std::va_list)> g_##prefix##vsscanf(#prefix "vsscanf");        \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##vsscanf, #prefix "vsscanf", const char* text,                 \
                        const char* format, std::va_list list) {                                             \
    return scans(text, format, list, REEX_CALLER, [&] { return g_##prefix##vsscanf(text, format, list); });  \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##sscanf, #prefix "sscanf", const char* text,                   \
                        const char* format, ...) {                                                           \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(scans(text, format, list, pc, [&] { return g_##prefix##vsscanf(text, format, list); }));  \
  }
REEX_SCAN_OF()
REEX_SCAN_OF(__isoc99_)
REEX_SCAN_OF(__isoc23_)
