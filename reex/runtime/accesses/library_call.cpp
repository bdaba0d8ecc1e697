#include "reex/runtime/accesses/library_call.h"

#include <dlfcn.h>

#include "reex/runtime/core/ending.h"

namespace reex {

void* find_library_function(const char* name) {
  Inside inside;
  void* function = dlsym(RTLD_NEXT, name);
  if (function != nullptr) return function;
  void* library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) function = dlsym(library, name);
  if (function == nullptr) internal_error(name);
  return function;
}

} // namespace reex
