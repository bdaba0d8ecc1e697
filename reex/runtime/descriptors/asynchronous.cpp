// Asynchronous input and output: libc makes threads for it that reex would not control, and the signals that
// tell of its end would come from the kernel at any moment. So it is refused. In a process that the test
// forked, and before that before its first thread, libc goes on.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

template <typename Result, typename... Arguments>
Result refused(Real<Result(Arguments...)>& real, const char* name, Arguments... arguments) {
  if (!g.forked_off) refuse(name);
  return real(arguments...);
}

} // namespace
} // namespace reex

using namespace reex;

// All of them take one control block, except those with a list.
#define REEX_ASYNCHRONOUS(name)                                                                              \
  namespace {                                                                                                \
  constinit Real<int(void*)> g_##name{#name};                                                                \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, reex_##name, #name, void* block) { return refused(g_##name, #name, block); }

REEX_ASYNCHRONOUS(aio_read)
REEX_ASYNCHRONOUS(aio_read64)
REEX_ASYNCHRONOUS(aio_write)
REEX_ASYNCHRONOUS(aio_write64)

#define REEX_ASYNCHRONOUS_FSYNC(name)                                                                        \
  namespace {                                                                                                \
  constinit Real<int(int, void*)> g_##name{#name};                                                           \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, reex_##name, #name, int operation, void* block) {                               \
    return refused(g_##name, #name, operation, block);                                                       \
  }

REEX_ASYNCHRONOUS_FSYNC(aio_fsync)
REEX_ASYNCHRONOUS_FSYNC(aio_fsync64)

#define REEX_ASYNCHRONOUS_LIST(name)                                                                         \
  namespace {                                                                                                \
  constinit Real<int(int, void*, int, void*)> g_##name{#name};                                               \
  }                                                                                                          \
  REEX_LIBRARY_FUNCTION(int, reex_##name, #name, int mode, void* list, int count, void* event) {             \
    return refused(g_##name, #name, mode, list, count, event);                                               \
  }

REEX_ASYNCHRONOUS_LIST(lio_listio)
REEX_ASYNCHRONOUS_LIST(lio_listio64)
