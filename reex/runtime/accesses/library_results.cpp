// What functions of libc leave in objects of the test: a broken-down time, the end of a number, the position
// of strtok_r and strsep, an allocated text; and the elements that qsort moves. With it, what they read of
// texts. A call is one access, right before which threads switch.
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <cwchar>

#include "reex/runtime/accesses/format_arguments.h"
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"

using namespace reex;
using Size = std::size_t;
using Order = int(const void*, const void*);
using OrderBy = int(const void*, const void*, void*);

namespace {

// `call` writes `result`, if that is not null.
template <typename Object, typename Call>
auto leaves(Object* result, void* pc, Call call) {
  will_write_buffer(result, pc);
  const auto answer = call();
  writes_object(result, pc);
  return answer;
}

// The same, of an object that it reads first.
template <typename Object, typename Call>
auto changes(Object* object, void* pc, Call call) {
  will_write_buffer(object, pc);
  reads_buffer(object, sizeof *object, pc);
  const auto answer = call();
  writes_object(object, pc);
  return answer;
}

// `call` allocates the text that the format asks for.
template <typename Call>
int prints(char** text, const char* format, std::va_list list, void* pc, Call call) {
  reach_texts(format, list, pc);
  read_texts(format, list, pc);
  return leaves(text, pc, call);
}

// `call` has moved the elements between calls of the test's function, and goes on to do so.
template <typename Call>
void moves(void* elements, Size count, Size size, void* pc, Call call) {
  const long bytes = static_cast<long>(count * size);
  if (bytes > 0) will_write_buffer(elements, pc);
  reads_buffer(elements, bytes, pc);
  writes_buffer(elements, bytes, pc);
  call();
  writes_buffer(elements, bytes, pc);
}

const char* end_of(const char* text) { return text + std::strlen(text); }
const wchar_t* end_of(const wchar_t* text) { return text + std::wcslen(text); }

// A function that splits a text goes on at `end`, or nowhere. It has put an end where a delimiter was before
// that, or the text itself ends there.
template <typename Char>
void splits(const Char* begin, const Char* end, void* pc) {
  if (end == nullptr) end = end_of(begin);
  const bool at_delimiter = end != begin && end[-1] == 0;
  const long size = sizeof(Char);
  reads_buffer(begin, (end - begin + (at_delimiter ? 0 : 1)) * size, pc);
  if (at_delimiter) writes_buffer(end - 1, size, pc);
}

constinit Real<void(void*, Size, Size, Order*)> g_qsort("qsort");
constinit Real<void(void*, Size, Size, OrderBy*, void*)> g_qsort_r("qsort_r");
constinit Real<char*(char**, const char*)> g_strsep("strsep");
constinit Real<int(char**, const char*, std::va_list)> g_vasprintf("vasprintf");
constinit Real<int(char**, int, const char*, std::va_list)> g_vasprintf_chk("__vasprintf_chk");

} // namespace

#define REEX_BROKEN_DOWN(function)                                                                           \
  namespace {                                                                                                \
  constinit Real<std::tm*(const std::time_t*, std::tm*)> g_##function(#function);                            \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(std::tm*, library_##function, #function, const std::time_t* time, std::tm* result) { \
    void* const pc = REEX_CALLER;                                                                            \
    reads_object(time, pc);                                                                                  \
    return leaves(result, pc, [&] { return g_##function(time, result); });                                   \
  }
REEX_BROKEN_DOWN(gmtime_r)
REEX_BROKEN_DOWN(localtime_r)

#define REEX_TIME_OF(function)                                                                               \
  namespace {                                                                                                \
  constinit Real<std::time_t(std::tm*)> g_##function(#function);                                             \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(std::time_t, library_##function, #function, std::tm* time) {                         \
    return changes(time, REEX_CALLER, [&] { return g_##function(time); });                                   \
  }
REEX_TIME_OF(mktime)
REEX_TIME_OF(timelocal)
REEX_TIME_OF(timegm)

// `call` reads a number at the begin of the text, and leaves where it stopped.
template <typename Char, typename Call>
auto reads_number(const Char* text, Char** end, void* pc, Call call) {
  Char* stop = nullptr;
  will_read_buffer(text, pc);
  will_write_buffer(end, pc);
  const auto number = call(&stop);
  if (stop == nullptr) return number; // no such base
  reads_buffer(text, (stop - text + 1) * static_cast<long>(sizeof *text), pc);
  if (end != nullptr) *end = stop;
  writes_object(end, pc);
  return number;
}

#define REEX_NUMBER_OF(type, function, Char)                                                                 \
  namespace {                                                                                                \
  constinit Real<type(const Char*, Char**)> g_##function(#function);                                         \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, const Char* text, Char** end) {                 \
    return reads_number(text, end, REEX_CALLER, [&](Char** stop) { return g_##function(text, stop); });      \
  }
REEX_NUMBER_OF(float, strtof, char)
REEX_NUMBER_OF(double, strtod, char)
REEX_NUMBER_OF(long double, strtold, char)
REEX_NUMBER_OF(float, wcstof, wchar_t)
REEX_NUMBER_OF(double, wcstod, wchar_t)
REEX_NUMBER_OF(long double, wcstold, wchar_t)

#define REEX_INTEGER_OF(type, function, Char)                                                                \
  namespace {                                                                                                \
  constinit Real<type(const Char*, Char**, int)> g_##function(#function);                                    \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, const Char* text, Char** end, int base) {       \
    return reads_number(text, end, REEX_CALLER,                                                              \
                        [&](Char** stop) { return g_##function(text, stop, base); });                        \
  }
// Also as C23 has them.
#define REEX_INTEGERS_OF(type, end)                                                                          \
  REEX_INTEGER_OF(type, strto##end, char)                                                                    \
  REEX_INTEGER_OF(type, wcsto##end, wchar_t)                                                                 \
  REEX_INTEGER_OF(type, __isoc23_strto##end, char)                                                           \
  REEX_INTEGER_OF(type, __isoc23_wcsto##end, wchar_t)
REEX_INTEGERS_OF(long, l)
REEX_INTEGERS_OF(long long, ll)
REEX_INTEGERS_OF(unsigned long, ul)
REEX_INTEGERS_OF(unsigned long long, ull)
REEX_INTEGERS_OF(std::intmax_t, imax)
REEX_INTEGERS_OF(std::uintmax_t, umax)

#define REEX_DECIMAL_OF(type, function, call)                                                                \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, const char* text) {                             \
    return static_cast<type>(                                                                                \
        reads_number<char>(text, nullptr, REEX_CALLER, [&](char** stop) { return call; }));                  \
  }
REEX_DECIMAL_OF(int, atoi, g_strtol(text, stop, 10))
REEX_DECIMAL_OF(long, atol, g_strtol(text, stop, 10))
REEX_DECIMAL_OF(long long, atoll, g_strtoll(text, stop, 10))
REEX_DECIMAL_OF(double, atof, g_strtod(text, stop))

#define REEX_PARTS_OF(type, function, part)                                                                  \
  namespace {                                                                                                \
  constinit Real<type(type, part*)> g_##function(#function);                                                 \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, type number, part* result) {                    \
    return leaves(result, REEX_CALLER, [&] { return g_##function(number, result); });                        \
  }
REEX_PARTS_OF(float, modff, float)
REEX_PARTS_OF(double, modf, double)
REEX_PARTS_OF(float, frexpf, int)
REEX_PARTS_OF(double, frexp, int)

#define REEX_TOKENS_OF(function, Char)                                                                       \
  namespace {                                                                                                \
  constinit Real<Char*(Char*, const Char*, Char**)> g_##function(#function);                                 \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(Char*, library_##function, #function, Char* text, const Char* delimiters,            \
                        Char** position) {                                                                   \
    void* const pc = REEX_CALLER;                                                                            \
    will_read_buffer(delimiters, pc);                                                                        \
    reads_text(delimiters, pc);                                                                              \
    const Char* const begin = text != nullptr ? text : *position;                                            \
    will_write_buffer(begin, pc);                                                                            \
    Char* const token = changes(position, pc, [&] { return g_##function(text, delimiters, position); });     \
    if (begin != nullptr) splits<Char>(begin, *position, pc);                                                \
    return token;                                                                                            \
  }
REEX_TOKENS_OF(strtok_r, char)
REEX_TOKENS_OF(wcstok, wchar_t)

REEX_LIBRARY_FUNCTION(char*, library_strsep, "strsep", char** text, const char* delimiters) {
  void* const pc = REEX_CALLER;
  if (*text == nullptr) {
    reads_object(text, pc);
    return g_strsep(text, delimiters);
  }
  will_read_buffer(delimiters, pc);
  reads_text(delimiters, pc);
  const char* const begin = *text;
  will_write_buffer(begin, pc);
  char* const token = changes(text, pc, [&] { return g_strsep(text, delimiters); });
  splits<char>(begin, *text, pc);
  return token;
}

REEX_LIBRARY_FUNCTION(int, library_vasprintf, "vasprintf", char** text, const char* format,
                      std::va_list list) {
  return prints(text, format, list, REEX_CALLER, [&] { return g_vasprintf(text, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vasprintf_chk, "__vasprintf_chk", char** text, int flag,
                      const char* format, std::va_list list) {
  return prints(text, format, list, REEX_CALLER, [&] { return g_vasprintf_chk(text, flag, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_asprintf, "asprintf", char** text, const char* format, ...) {
  void* const pc = REEX_CALLER;
  std::va_list list;
  va_start(list, format);
  const int length = prints(text, format, list, pc, [&] { return g_vasprintf(text, format, list); });
  va_end(list);
  return length;
}

REEX_LIBRARY_FUNCTION(int, library_asprintf_chk, "__asprintf_chk", char** text, int flag, const char* format,
                      ...) {
  void* const pc = REEX_CALLER;
  std::va_list list;
  va_start(list, format);
  const int length =
      prints(text, format, list, pc, [&] { return g_vasprintf_chk(text, flag, format, list); });
  va_end(list);
  return length;
}

REEX_LIBRARY_FUNCTION(void, library_qsort, "qsort", void* elements, Size count, Size size, Order* order) {
  moves(elements, count, size, REEX_CALLER, [&] { g_qsort(elements, count, size, order); });
}

REEX_LIBRARY_FUNCTION(void, library_qsort_r, "qsort_r", void* elements, Size count, Size size, OrderBy* order,
                      void* argument) {
  moves(elements, count, size, REEX_CALLER, [&] { g_qsort_r(elements, count, size, order, argument); });
}
