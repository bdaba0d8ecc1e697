// What functions of libc leave in objects of the test: a broken-down time, the end of a number, the position
// of strtok_r, an allocated text; and the elements that qsort moves. A call is one access, right before which
// threads switch.
#include <cstdarg>
#include <ctime>

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

constinit Real<void(void*, Size, Size, Order*)> g_qsort("qsort");
constinit Real<void(void*, Size, Size, OrderBy*, void*)> g_qsort_r("qsort_r");
constinit Real<char*(char*, const char*, char**)> g_strtok_r("strtok_r");
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

#define REEX_NUMBER_OF(type, function)                                                                       \
  namespace {                                                                                                \
  constinit Real<type(const char*, char**)> g_##function(#function);                                         \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, const char* text, char** end) {                 \
    return leaves(end, REEX_CALLER, [&] { return g_##function(text, end); });                                \
  }
REEX_NUMBER_OF(float, strtof)
REEX_NUMBER_OF(double, strtod)
REEX_NUMBER_OF(long double, strtold)

#define REEX_INTEGER_OF(type, function)                                                                      \
  namespace {                                                                                                \
  constinit Real<type(const char*, char**, int)> g_##function(#function);                                    \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(type, library_##function, #function, const char* text, char** end, int base) {       \
    return leaves(end, REEX_CALLER, [&] { return g_##function(text, end, base); });                          \
  }
REEX_INTEGER_OF(long, strtol)
REEX_INTEGER_OF(long long, strtoll)
REEX_INTEGER_OF(unsigned long, strtoul)
REEX_INTEGER_OF(unsigned long long, strtoull)

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

REEX_LIBRARY_FUNCTION(char*, library_strtok_r, "strtok_r", char* text, const char* delimiters,
                      char** position) {
  return changes(position, REEX_CALLER, [&] { return g_strtok_r(text, delimiters, position); });
}

REEX_LIBRARY_FUNCTION(int, library_vasprintf, "vasprintf", char** text, const char* format,
                      std::va_list list) {
  return leaves(text, REEX_CALLER, [&] { return g_vasprintf(text, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_vasprintf_chk, "__vasprintf_chk", char** text, int flag,
                      const char* format, std::va_list list) {
  return leaves(text, REEX_CALLER, [&] { return g_vasprintf_chk(text, flag, format, list); });
}

REEX_LIBRARY_FUNCTION(int, library_asprintf, "asprintf", char** text, const char* format, ...) {
  void* const pc = REEX_CALLER;
  std::va_list list;
  va_start(list, format);
  const int length = leaves(text, pc, [&] { return g_vasprintf(text, format, list); });
  va_end(list);
  return length;
}

REEX_LIBRARY_FUNCTION(int, library_asprintf_chk, "__asprintf_chk", char** text, int flag, const char* format,
                      ...) {
  void* const pc = REEX_CALLER;
  std::va_list list;
  va_start(list, format);
  const int length = leaves(text, pc, [&] { return g_vasprintf_chk(text, flag, format, list); });
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
