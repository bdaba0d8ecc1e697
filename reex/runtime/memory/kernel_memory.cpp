// What the search asks of the kernel about memory. Its tables are shared memory, which no restore changes.
#include "reex/search/table_memory.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>

#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {

bool advise(void* memory, std::size_t size, int advice) {
  return reex_kept_call(SYS_madvise, as_long(memory), static_cast<long>(size), advice) == 0;
}

std::size_t available_memory() {
  char text[512];
  const long file = reex_kept_call(SYS_openat, AT_FDCWD, as_long("/proc/meminfo"), O_RDONLY | O_CLOEXEC);
  const long got = reex_kept_call(SYS_read, file, as_long(text), sizeof text - 1);
  reex_kept_call(SYS_close, file);
  text[got > 0 ? got : 0] = '\0';
  const char* line = strstr(text, "MemAvailable:");
  return line == nullptr ? 0 : strtoul(line + strlen("MemAvailable:"), nullptr, 10) * 1024;
}

} // namespace reex
