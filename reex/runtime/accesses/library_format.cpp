// snprintf and its relatives, the text that they write and those that they read; scanf and its relatives;
// what printf for wchar_t reads.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cwchar>

#include "reex/runtime/accesses/format_arguments.h"
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

using namespace reex;
using Size = std::size_t;

namespace {

constinit Real<int(char*, const char*, std::va_list)> g_vsprintf("vsprintf");
constinit Real<int(char*, int, Size, const char*, std::va_list)> g_vsprintf_chk("__vsprintf_chk");

constexpr Size k_unlimited = ~Size{0};

// `call` writes the text to `to`, at most `room` characters with its end, and returns its length, or that it
// does not fit.
template <typename Char, typename Call>
int writes(Char* to, Size room, const Char* format, std::va_list list, void* pc, Call call) {
  if (room == 0) to = nullptr;
  reach_texts(format, list, pc);
  will_write_buffer(to, pc);
  read_texts(format, list, pc);
  const int length = call();
  const Size written = length >= 0 ? std::min<Size>(Size(length) + 1, room) : sizeof(Char) > 1 ? room : 0;
  writes_buffer(to, static_cast<long>(written * sizeof(Char)), pc);
  return length;
}

} // namespace

// `call` has the arguments behind `format` as `list`.
#define REEX_WITH_LIST(call)                                                                                 \
  std::va_list list;                                                                                         \
  va_start(list, format);                                                                                    \
  const int answer = call;                                                                                   \
  va_end(list);                                                                                              \
  return answer

// Functions that get a size, by the names of both.
#define REEX_SIZED_PRINT_OF(Char, name)                                                                      \
  namespace {                                                                                                \
  constinit Real<int(Char*, Size, const Char*, std::va_list)> g_v##name("v" #name);                          \
  constinit Real<int(Char*, Size, int, Size, const Char*, std::va_list)> g_v##name##_chk("__v" #name         \
                                                                                         "_chk");            \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_v##name, "v" #name, Char* to, Size room, const Char* format,            \
                        std::va_list list) {                                                                 \
    return writes(to, room, format, list, REEX_CALLER, [&] { return g_v##name(to, room, format, list); });   \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_v##name##_chk, "__v" #name "_chk", Char* to, Size room, int flag,       \
                        Size size, const Char* format, std::va_list list) {                                  \
    return writes(to, room, format, list, REEX_CALLER,                                                       \
                  [&] { return g_v##name##_chk(to, room, flag, size, format, list); });                      \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##name, #name, Char* to, Size room, const Char* format, ...) {          \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(writes(to, room, format, list, pc, [&] { return g_v##name(to, room, format, list); }));   \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##name##_chk, "__" #name "_chk", Char* to, Size room, int flag,         \
                        Size size, const Char* format, ...) {                                                \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(writes(to, room, format, list, pc,                                                        \
                          [&] { return g_v##name##_chk(to, room, flag, size, format, list); }));             \
  }
REEX_SIZED_PRINT_OF(char, snprintf)
REEX_SIZED_PRINT_OF(wchar_t, swprintf)

REEX_LIBRARY_FUNCTION(int, library_vsprintf, "vsprintf", char* to, const char* format, std::va_list list) {
  return writes(to, k_unlimited, format, list, REEX_CALLER, [&] { return g_vsprintf(to, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vsprintf_chk, "__vsprintf_chk", char* to, int flag, Size size,
                      const char* format, std::va_list list) {
  return writes(to, k_unlimited, format, list, REEX_CALLER,
                [&] { return g_vsprintf_chk(to, flag, size, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_sprintf, "sprintf", char* to, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, format, list, pc, [&] { return g_vsprintf(to, format, list); }));
}

REEX_LIBRARY_FUNCTION(int, library_sprintf_chk, "__sprintf_chk", char* to, int flag, Size size,
                      const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(writes(to, k_unlimited, format, list, pc,
                        [&] { return g_vsprintf_chk(to, flag, size, format, list); }));
}

namespace {

// What `scan` leaves.
template <typename Char, typename Scan>
int scans(const Char* format, std::va_list list, void* pc, Scan scan) {
  reach_results(format, list, pc);
  const int assigned = scan();
  write_results(format, list, assigned, pc);
  return assigned;
}

// glibc looks for the end of the text before it scans it.
template <typename Char, typename Scan>
int scans_text(const Char* text, const Char* format, std::va_list list, void* pc, Scan scan) {
  will_read_buffer(text, pc);
  reach_results(format, list, pc);
  reads_text(text, pc);
  const int assigned = scan();
  write_results(format, list, assigned, pc);
  return assigned;
}

} // namespace

// For C before C99, for later standards, and for C23.
#define REEX_SCAN_OF(prefix, Char, of_text, of_stream, of_input)                                             \
  namespace {                                                                                                \
  constinit Real<int(const Char*, const Char*, std::va_list)> g_##prefix##v##of_text(#prefix "v" #of_text);  \
  constinit Real<int(FILE*, const Char*, std::va_list)> g_##prefix##v##of_stream(#prefix "v" #of_stream);    \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##v##of_text, #prefix "v" #of_text, const Char* text,           \
                        const Char* format, std::va_list list) {                                             \
    return scans_text(text, format, list, REEX_CALLER,                                                       \
                      [&] { return g_##prefix##v##of_text(text, format, list); });                           \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##of_text, #prefix #of_text, const Char* text,                  \
                        const Char* format, ...) {                                                           \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(                                                                                          \
        scans_text(text, format, list, pc, [&] { return g_##prefix##v##of_text(text, format, list); }));     \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##v##of_stream, #prefix "v" #of_stream, FILE* stream,           \
                        const Char* format, std::va_list list) {                                             \
    return scans(format, list, REEX_CALLER, [&] { return g_##prefix##v##of_stream(stream, format, list); }); \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##of_stream, #prefix #of_stream, FILE* stream,                  \
                        const Char* format, ...) {                                                           \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(scans(format, list, pc, [&] { return g_##prefix##v##of_stream(stream, format, list); })); \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##v##of_input, #prefix "v" #of_input, const Char* format,       \
                        std::va_list list) {                                                                 \
    return scans(format, list, REEX_CALLER, [&] { return g_##prefix##v##of_stream(stdin, format, list); });  \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, library_##prefix##of_input, #prefix #of_input, const Char* format, ...) {       \
    void* const pc = REEX_CALLER;                                                                            \
    REEX_WITH_LIST(scans(format, list, pc, [&] { return g_##prefix##v##of_stream(stdin, format, list); }));  \
  }
#define REEX_SCANS_OF(prefix)                                                                                \
  REEX_SCAN_OF(prefix, char, sscanf, fscanf, scanf)                                                          \
  REEX_SCAN_OF(prefix, wchar_t, swscanf, fwscanf, wscanf)
REEX_SCANS_OF()
REEX_SCANS_OF(__isoc99_)
REEX_SCANS_OF(__isoc23_)

namespace {

constinit Real<int(FILE*, const wchar_t*, std::va_list)> g_vfwprintf("vfwprintf");

int prints(FILE* stream, const wchar_t* format, std::va_list list, void* pc) {
  reach_texts(format, list, pc);
  read_texts(format, list, pc);
  return g_vfwprintf(stream, format, list);
}

} // namespace

REEX_LIBRARY_FUNCTION(int, library_vfwprintf, "vfwprintf", FILE* stream, const wchar_t* format,
                      std::va_list list) {
  return prints(stream, format, list, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(int, library_vwprintf, "vwprintf", const wchar_t* format, std::va_list list) {
  return prints(stdout, format, list, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(int, library_fwprintf, "fwprintf", FILE* stream, const wchar_t* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(prints(stream, format, list, pc));
}

REEX_LIBRARY_FUNCTION(int, library_wprintf, "wprintf", const wchar_t* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(prints(stdout, format, list, pc));
}

namespace {

constinit Real<int(int, const char*, std::va_list)> g_vdprintf("vdprintf");

int prints(int descriptor, const char* format, std::va_list list, void* pc) {
  reach_texts(format, list, pc);
  read_texts(format, list, pc);
  return g_vdprintf(descriptor, format, list);
}

} // namespace

REEX_LIBRARY_FUNCTION(int, library_vdprintf, "vdprintf", int descriptor, const char* format,
                      std::va_list list) {
  return prints(descriptor, format, list, REEX_CALLER);
}

REEX_LIBRARY_FUNCTION(int, library_dprintf, "dprintf", int descriptor, const char* format, ...) {
  void* const pc = REEX_CALLER;
  REEX_WITH_LIST(prints(descriptor, format, list, pc));
}
