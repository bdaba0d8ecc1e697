#include "reex/runtime/memory/memory_map.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

constexpr std::size_t k_room = 1 << 20;
char g_text[k_room];

void read_maps() {
  const long file = reex_kept_call(SYS_openat, AT_FDCWD, as_long("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (file < 0) internal_error("cannot read /proc/self/maps");
  std::size_t used = 0;
  for (;;) {
    const long got =
        reex_kept_call(SYS_read, file, as_long(g_text + used), static_cast<long>(k_room - 1 - used));
    if (got <= 0) break;
    used += static_cast<std::size_t>(got);
  }
  reex_kept_call(SYS_close, file);
  g_text[used] = '\0';
}

std::uint64_t hexadecimal(const char*& at) {
  std::uint64_t value = 0;
  for (;; ++at) {
    if (*at >= '0' && *at <= '9')
      value = value * 16 + static_cast<unsigned>(*at - '0');
    else if (*at >= 'a' && *at <= 'f')
      value = value * 16 + static_cast<unsigned>(*at - 'a' + 10);
    else
      return value;
  }
}

char* address(const char*& at) { return reinterpret_cast<char*>(hexadecimal(at)); }

} // namespace

// Lines of "low-high perms offset device inode path".
void for_each_mapping(void (*visit)(const MappedRange& range, void* argument), void* argument) {
  read_maps();
  for (const char* at = g_text; *at != '\0';) {
    const char* end = strchr(at, '\n');
    if (end == nullptr) break;
    MappedRange range{};
    range.low = address(at);
    ++at;
    range.high = address(at);
    ++at;
    range.access =
        (at[0] == 'r' ? PROT_READ : 0) | (at[1] == 'w' ? PROT_WRITE : 0) | (at[2] == 'x' ? PROT_EXEC : 0);
    range.writable = at[1] == 'w';
    range.shared = at[3] == 's';
    at += 5;
    range.offset = hexadecimal(at);
    ++at;
    range.device = hexadecimal(at) << 32;
    ++at;
    range.device |= hexadecimal(at);
    ++at;
    range.inode = hexadecimal(at); // of decimal digits, which tell it apart as well
    visit(range, argument);
    at = end + 1;
  }
}

} // namespace reex
