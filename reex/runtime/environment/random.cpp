// Fixed sequences replace the system's random numbers: each thread has one, so that what it draws does not
// depend on what others have drawn. Files with a part of one replace the random devices. Not replaced are the
// processor's own instructions, and what libc draws for itself (names of temporary files).
#include "reex/runtime/environment/random.h"

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/environment/file_points.h"
#include "reex/runtime/environment/seen_files.h"
#include "reex/runtime/environment/thread_files.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/buffers.h"
#include "reex/runtime/record/unexplored.h"

namespace reex {
namespace {

constexpr std::uint64_t k_seed = 0x9e3779b97f4a7c15;
constexpr std::size_t k_device_bytes = std::size_t{1} << 20; // after so many bytes they come again
constexpr const char* k_device_name = "random device";

// Of main; of other threads: Fiber::random.
constinit std::uint64_t g_random = k_seed;
constinit std::uint64_t g_random_start = k_seed;

std::uint64_t scrambled(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t next_random() { // splitmix64
  Fiber* const self = g.current;
  if (self == nullptr || self->id == 0) return scrambled(g_random += k_seed);
  if (self->random == 0) self->random = scrambled(k_seed ^ self->id);
  return scrambled(self->random += k_seed);
}

void fill(void* memory, std::size_t size) {
  if (g.forked_off) { // a process that the test forked: it must not draw the same numbers
    for (std::size_t done = 0; done < size;) {
      const long got = raw_syscall(SYS_getrandom, as_long(static_cast<char*>(memory) + done),
                                   static_cast<long>(size - done), 0);
      if (got > 0) done += static_cast<std::size_t>(got);
    }
    return;
  }
  auto* to = static_cast<char*>(memory);
  for (; size >= sizeof(std::uint64_t); to += sizeof(std::uint64_t), size -= sizeof(std::uint64_t)) {
    const std::uint64_t value = next_random();
    memcpy(to, &value, sizeof value);
  }
  const std::uint64_t value = next_random();
  memcpy(to, &value, size);
}

// Natively the test would get other numbers each time. What it draws before its first thread is not asked for
// in each execution.
void note_draw(const void* pc) {
  if (g.active) note_random_numbers(pc);
}

std::uint32_t draw(const void* pc) {
  note_draw(pc);
  std::uint32_t value = 0;
  fill(&value, sizeof value);
  return value;
}

bool is_device(const char* path) {
  return !g.forked_off && path != nullptr &&
         (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0);
}

// Returns -1 with errno if the file cannot be made.
int open_device(int flags) {
  long file =
      raw_syscall(SYS_memfd_create, as_long(k_device_name), (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  char block[4096];
  for (std::size_t done = 0; file >= 0 && done < k_device_bytes; done += sizeof block) {
    fill(block, sizeof block);
    if (const long wrote = raw_syscall(SYS_write, file, as_long(block), sizeof block); wrote < 0)
      file = wrote;
  }
  if (file >= 0) raw_syscall(SYS_lseek, file, 0, SEEK_SET);
  if (file >= 0) return static_cast<int>(file);
  errno = static_cast<int>(-file);
  return -1;
}

int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (is_device(path)) return open_device(flags);
  if (const ThreadFile file = thread_file(path); file.text != ThreadText::none)
    return open_thread_file(file, flags);
  const long file = raw_syscall(SYS_openat, folder, as_long(path), flags, static_cast<long>(mode));
  if (file >= 0 && (flags & (O_ACCMODE | O_PATH)) == O_RDONLY && (folder == AT_FDCWD || path[0] == '/'))
    see_file(path, static_cast<int>(file));
  if (file >= 0) return static_cast<int>(file);
  errno = static_cast<int>(-file);
  return -1;
}

FILE* open_stream(const char* path, const char* mode) {
  if (is_device(path)) {
    const int file = open_device(O_CLOEXEC);
    return file < 0 ? nullptr : fdopen(file, mode);
  }
  if (const ThreadFile of_thread = thread_file(path); of_thread.text != ThreadText::none) {
    const int file = open_thread_file(of_thread, O_CLOEXEC);
    return file < 0 ? nullptr : fdopen(file, mode);
  }
  if (libc().fopen == nullptr) find_libc(); // the constructor of another library calls this
  FILE* const stream = libc().fopen(path, mode);
  if (stream != nullptr && mode[0] == 'r' && strchr(mode, '+') == nullptr) see_file(path, fileno(stream));
  return stream;
}

} // namespace

bool begin_device_anew(int descriptor) {
  char link[64];
  char path[64];
  char device[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const long length = raw_syscall(SYS_readlink, as_long(link), as_long(path), sizeof path);
  const int expected = snprintf(device, sizeof device, "/memfd:%s (deleted)", k_device_name);
  return length == expected && memcmp(path, device, static_cast<std::size_t>(length)) == 0 &&
         raw_syscall(SYS_lseek, descriptor, 0, SEEK_SET) == 0;
}

std::uint64_t place_of_random() {
  std::uint64_t place = g_random;
  for (const Fiber* fiber : alive()) place += fiber->random;
  return place;
}

void remember_random() { g_random_start = g_random; }
void rewind_random() { g_random = g_random_start; }

void give_random(void* memory, std::size_t size, void* pc) {
  note_draw(pc);
  will_write_buffer(memory, pc);
  fill(memory, size);
  receives_buffer(memory, static_cast<long>(size), pc);
}

} // namespace reex

using namespace reex;

REEX_EXPORT ssize_t getrandom(void* memory, std::size_t size, unsigned) {
  give_random(memory, size, REEX_CALLER);
  return static_cast<ssize_t>(size);
}

REEX_EXPORT int getentropy(void* memory, std::size_t size) {
  constexpr std::size_t k_most = 256;
  if (size > k_most) {
    errno = EIO;
    return -1;
  }
  give_random(memory, size, REEX_CALLER);
  return 0;
}

REEX_EXPORT std::uint32_t arc4random() { return draw(REEX_CALLER); }
REEX_EXPORT void arc4random_buf(void* memory, std::size_t size) { give_random(memory, size, REEX_CALLER); }
REEX_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) {
  if (bound < 2) return 0;
  const std::uint32_t uneven = -bound % bound; // values below would favour small results
  for (;;)
    if (const std::uint32_t value = draw(REEX_CALLER); value >= uneven) return value % bound;
}

// std::random_device, whatever source it was given. By default that is the processor's own numbers.
extern "C" {
__attribute__((visibility("default"), used)) unsigned
reex_device_value(void* device) asm("_ZNSt13random_device9_M_getvalEv");
__attribute__((visibility("default"), used)) unsigned
reex_device_value_pretr1(void* device) asm("_ZNSt13random_device16_M_getval_pretr1Ev");
}
unsigned reex_device_value(void*) { return draw(REEX_CALLER); }
unsigned reex_device_value_pretr1(void*) { return draw(REEX_CALLER); }

// The devices as files.
namespace {

// As far as it matters whether the file is changed.
int flags_of(const char* mode) {
  return mode[0] == 'r' && strchr(mode, '+') == nullptr ? O_RDONLY : O_RDWR | O_CREAT;
}

mode_t mode_of(int flags, std::va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

} // namespace

#define REEX_MODE(flags)                                                                                     \
  std::va_list arguments;                                                                                    \
  va_start(arguments, flags);                                                                                \
  const mode_t mode = mode_of(flags, arguments);                                                             \
  va_end(arguments)

// The functions that open are cancellation points. The runtime's own calls are none.
#define REEX_OPENS(path, flags)                                                                              \
  const CancellationPoint point;                                                                             \
  will_read_buffer((path), REEX_CALLER);                                                                     \
  open_point((path), (flags), REEX_CALLER, REEX_FRAME);                                                      \
  reads_text((path), REEX_CALLER);                                                                           \
  if (is_device(path)) note_draw(REEX_CALLER);                                                               \
  reach_cancellation_point(REEX_CALLER, REEX_FRAME)

REEX_EXPORT int open(const char* path, int flags, ...) {
  REEX_MODE(flags);
  REEX_OPENS(path, flags);
  return open_at(AT_FDCWD, path, flags, mode);
}
REEX_EXPORT int open64(const char* path, int flags, ...) {
  REEX_MODE(flags);
  REEX_OPENS(path, flags);
  return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
REEX_EXPORT int openat(int folder, const char* path, int flags, ...) {
  REEX_MODE(flags);
  REEX_OPENS(path, flags);
  return open_at(folder, path, flags, mode);
}
REEX_EXPORT int openat64(int folder, const char* path, int flags, ...) {
  REEX_MODE(flags);
  REEX_OPENS(path, flags);
  return open_at(folder, path, flags | O_LARGEFILE, mode);
}
REEX_EXPORT int __open_2(const char* path, int flags) {
  REEX_OPENS(path, flags);
  return open_at(AT_FDCWD, path, flags, 0);
}
REEX_EXPORT int __open64_2(const char* path, int flags) {
  REEX_OPENS(path, flags);
  return open_at(AT_FDCWD, path, flags | O_LARGEFILE, 0);
}
REEX_EXPORT FILE* fopen(const char* path, const char* mode) {
  REEX_OPENS(path, flags_of(mode));
  return open_stream(path, mode);
}
REEX_EXPORT FILE* fopen64(const char* path, const char* mode) {
  REEX_OPENS(path, flags_of(mode));
  return open_stream(path, mode);
}
