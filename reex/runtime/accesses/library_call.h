// Functions of libc and libstdc++ that the test calls, or templates that it has instantiated, and that access
// its memory: nothing in those libraries is instrumented, so the runtime stands in for the functions, tells
// what each of them is about to access, and goes on with the real one.
//
// Only calls from instrumented code count. Libraries call these functions as well; what they do for
// themselves is nobody's race, and what they do for the test is told where the test calls them.
#pragma once

#include <cstddef>

#include "reex/runtime/accesses/access.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/race.h"

namespace reex {

// Defines a function under a name that the compiler may know already, with another type or as its own.
#define REEX_LIBRARY_FUNCTION(result, function, name, ...)                                                   \
  extern "C" __attribute__((visibility("default"))) result function(__VA_ARGS__) asm(name);                  \
  result function(__VA_ARGS__)

// Looks the function up in the libraries behind the runtime, also in a C++ library that came later and is not
// in the global scope. Does not return without it: there is a caller, who found it.
void* find_library_function(const char* name);

// The function that the runtime's own definition hides. Looked up at its first call: nothing may be relied on
// while the loader is at work.
template <typename Function>
class Real;

template <typename Result, typename... Arguments>
class Real<Result(Arguments...)> {
public:
  explicit constexpr Real(const char* name) : m_name(name) {}

  Result operator()(Arguments... arguments) {
    if (m_function == nullptr) [[unlikely]]
      m_function = reinterpret_cast<Function*>(find_library_function(m_name));
    return m_function(arguments...);
  }

private:
  using Function = Result(Arguments...);
  const char* m_name;
  Function* m_function = nullptr;
};

// `pc` lies in the test's own code, and what it accesses is looked at.
inline bool is_watched(void* pc) {
  return g_watching && g.active && in_instrumented_module(reinterpret_cast<std::uint64_t>(pc));
}

// How much a call reads may depend on what it finds. So first comes the scheduling point, then one looks.
inline void reach_read(const void* address, void* pc) { reach_access(address, 1, false, pc); }
inline void reach_write(const void* address, void* pc) { reach_access(address, 1, true, pc); }

// Behind the point: all that the call accesses belongs to it.
inline void watch_read(const void* address, std::size_t size, void* pc) {
  if (size == 0) return;
  if (g_fingerprinting && is_visible_access(pc)) fingerprint_words(Operation::plain_read, address, size);
  watch_access(address, size, FindingAct::read, pc);
}
inline void watch_write(const void* address, std::size_t size, void* pc) {
  if (size == 0) return;
  if (g_fingerprinting && is_visible_access(pc)) fingerprint_words(Operation::plain_write, address, size);
  watch_access(address, size, FindingAct::write, pc);
}

} // namespace reex
