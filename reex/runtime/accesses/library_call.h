// Functions of libc and libstdc++ that access the test's memory: functions that the test calls, and templates
// that these libraries instantiate. The libraries are not instrumented. So the runtime defines these
// functions itself, reports what each is about to access, and then calls the real one.
//
// The objects of class Real only store addresses of functions: neither a restore nor a worker's death matters
// to them.
#pragma once

#include <cstddef>

#include "reex/runtime/accesses/access.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/order/buffers.h"

namespace reex {

// Defines a function under a name that the compiler may know already, with another type or as a builtin.
#define REEX_LIBRARY_FUNCTION(result, function, name, ...)                                                   \
  extern "C" __attribute__((visibility("default"))) result function(__VA_ARGS__) asm(name);                  \
  result function(__VA_ARGS__)

// Looks the function up in the libraries behind the runtime, also in a C++ library that was loaded later and
// is not in the global scope. Ends the process if there is none: a caller has found the function, so it must
// exist.
void* find_library_function(const char* name);

// The function that the runtime's own definition hides. It is looked up at its first call, because nothing is
// reliable while the loader is at work.
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

} // namespace reex
