#include "reex/runtime/accesses/library_call.h"

#include <cstddef>
#include <dlfcn.h>
#include <utility>

#include "reex/runtime/core/ending.h"

namespace reex {

namespace {

// A look-up makes glibc forget the error that `dlerror` would tell the running thread. This keeps the error:
// the test asks for it, and has called nothing in between. glibc has a pointer to it in each thread, at the
// same distance from the thread's own pointer (since 2.34).
class ErrorOfLoaderKept {
public:
  ErrorOfLoaderKept() {
    if (m_error != nullptr) std::swap(m_kept, *m_error);
  }
  ~ErrorOfLoaderKept() {
    if (m_error == nullptr) return;
    dlerror(); // of the look-up itself, where it has failed: told once, and then freed
    dlerror();
    *m_error = m_kept;
  }
  ErrorOfLoaderKept(const ErrorOfLoaderKept&) = delete;
  ErrorOfLoaderKept& operator=(const ErrorOfLoaderKept&) = delete;

private:
  static void** find() {
    static const std::ptrdiff_t g_distance = [] {
      const void* const found = dlvsym(RTLD_NEXT, "__libc_dlerror_result", "GLIBC_PRIVATE");
      return found == nullptr
                 ? 0
                 : static_cast<const char*>(found) - static_cast<const char*>(__builtin_thread_pointer());
    }();
    if (g_distance == 0) return nullptr;
    return reinterpret_cast<void**>(static_cast<char*>(__builtin_thread_pointer()) + g_distance);
  }

  void** m_error = find();
  void* m_kept = nullptr;
};

} // namespace

void* find_library_function(const char* name) {
  Inside inside;
  const ErrorOfLoaderKept kept;
  void* function = dlsym(RTLD_NEXT, name);
  if (function != nullptr) return function;
  void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) function = dlsym(library, name);
  if (function == nullptr) internal_error(name);
  return function;
}

} // namespace reex
