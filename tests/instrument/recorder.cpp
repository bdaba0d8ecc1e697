// Runs the functions of accesses.cpp, and checks that each of their accesses was reported: to a hook, or by a
// call of a function that the runtime defines too. It is compiled without instrumentation and with
// -fno-builtin.
#include "tests/instrument/accesses.h"

#include <cstddef>
#include <cstdio>

namespace {

char g_to[k_room];
char g_from[k_room];
bool g_written[k_room];
bool g_read[k_room];
const char* g_local = nullptr; // handed out
unsigned g_local_size = 0;

void mark(bool* seen, const char* buffer, const void* address, std::size_t size) {
  const auto* at = static_cast<const char*>(address);
  for (std::size_t i = 0; i < size; ++i) {
    if (at + i >= buffer && at + i < buffer + k_room) seen[at + i - buffer] = true;
    if (at + i >= g_local && at + i < g_local + g_local_size) seen[at + i - g_local] = true;
  }
}

void writes(const void* address, std::size_t size) { mark(g_written, g_to, address, size); }
void reads(const void* address, std::size_t size) { mark(g_read, g_from, address, size); }

std::size_t length_of(const char* text) {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

std::size_t shorter(std::size_t a, std::size_t b) { return a < b ? a : b; }

void* copies(void* to, const void* from, std::size_t size) {
  writes(to, size);
  reads(from, size);
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  if (out <= in)
    for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
  else
    for (std::size_t i = size; i-- > 0;) out[i] = in[i];
  return to;
}

void* fills(void* to, int value, std::size_t size) {
  writes(to, size);
  for (std::size_t i = 0; i < size; ++i) static_cast<char*>(to)[i] = static_cast<char>(value);
  return to;
}

int compares(const char* a, const char* b, std::size_t most, bool texts) {
  std::size_t i = 0;
  while (i < most && a[i] == b[i] && !(texts && a[i] == '\0')) ++i;
  reads(a, shorter(i + 1, most));
  reads(b, shorter(i + 1, most));
  return i == most ? 0 : static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
}

bool covers(const bool* seen, unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    if (!seen[i]) return false;
  return true;
}

bool is_seen(const Access& access) {
  for (unsigned i = 0; i < k_room; ++i) {
    g_written[i] = g_read[i] = false;
    g_to[i] = 0;
    g_from[i] = i < sizeof k_text ? k_text[i] : '\0';
  }
  g_local_size = 0;
  access.run(g_to, g_from);
  const bool written = covers(g_written, access.written);
  const bool read = covers(g_read, access.read);
  if (!written) std::printf("%s: a write is not seen\n", access.name);
  if (!read) std::printf("%s: a read is not seen\n", access.name);
  return written && read;
}

void note_local(const void* local, unsigned size) {
  g_local = static_cast<const char*>(local);
  g_local_size = size;
}

} // namespace

void (*const hand_out)(const void* local, unsigned size) = note_local;

#define REEX_HOOK(size)                                                                                      \
  extern "C" void __tsan_read##size(void* at) { reads(at, size); }                                           \
  extern "C" void __tsan_write##size(void* at) { writes(at, size); }                                         \
  extern "C" void __tsan_unaligned_read##size(void* at) { reads(at, size); }                                 \
  extern "C" void __tsan_unaligned_write##size(void* at) { writes(at, size); }                               \
  extern "C" void __tsan_read##size##_pc(void* at, void*) { reads(at, size); }                               \
  extern "C" void __tsan_write##size##_pc(void* at, void*) { writes(at, size); }
REEX_HOOK(1)
REEX_HOOK(2)
REEX_HOOK(4)
REEX_HOOK(8)
REEX_HOOK(16)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void* at, std::size_t size) { reads(at, size); }
void __tsan_read_range_pc(void* at, std::size_t size, void*) { reads(at, size); }
void __tsan_write_range(void* at, std::size_t size) { writes(at, size); }
void __tsan_write_range_pc(void* at, std::size_t size, void*) { writes(at, size); }
void* __tsan_memcpy(void* to, const void* from, std::size_t size) { return copies(to, from, size); }
void* __tsan_memmove(void* to, const void* from, std::size_t size) { return copies(to, from, size); }
void* __tsan_memset(void* to, int value, std::size_t size) { return fills(to, value, size); }
}

// Each under a name of its own, because the compiler knows the types of the real ones.
#define REEX_FUNCTION(result, name, ...)                                                                     \
  extern "C" result recorded_##name(__VA_ARGS__) asm(#name);                                                 \
  extern "C" result recorded_##name(__VA_ARGS__)
using Size = std::size_t;

REEX_FUNCTION(void*, memcpy, void* to, const void* from, Size size) { return copies(to, from, size); }
REEX_FUNCTION(void*, memmove, void* to, const void* from, Size size) { return copies(to, from, size); }
REEX_FUNCTION(void*, mempcpy, void* to, const void* from, Size size) {
  return static_cast<char*>(copies(to, from, size)) + size;
}
REEX_FUNCTION(void*, memset, void* to, int value, Size size) { return fills(to, value, size); }
REEX_FUNCTION(void, bzero, void* to, Size size) { fills(to, 0, size); }
REEX_FUNCTION(void, bcopy, const void* from, void* to, Size size) { copies(to, from, size); }
REEX_FUNCTION(int, memcmp, const char* a, const char* b, Size size) { return compares(a, b, size, false); }
REEX_FUNCTION(int, bcmp, const char* a, const char* b, Size size) { return compares(a, b, size, false); }
REEX_FUNCTION(int, strcmp, const char* a, const char* b) { return compares(a, b, ~Size{0}, true); }
REEX_FUNCTION(int, strncmp, const char* a, const char* b, Size most) { return compares(a, b, most, true); }
REEX_FUNCTION(void*, memchr, const char* in, int value, Size size) {
  Size i = 0;
  while (i < size && in[i] != static_cast<char>(value)) ++i;
  reads(in, shorter(i + 1, size));
  return i == size ? nullptr : const_cast<char*>(in + i);
}
REEX_FUNCTION(Size, strlen, const char* text) {
  reads(text, length_of(text) + 1);
  return length_of(text);
}
REEX_FUNCTION(char*, strcpy, char* to, const char* from) {
  return static_cast<char*>(copies(to, from, length_of(from) + 1));
}
REEX_FUNCTION(char*, stpcpy, char* to, const char* from) {
  copies(to, from, length_of(from) + 1);
  return to + length_of(from);
}
REEX_FUNCTION(char*, strncpy, char* to, const char* from, Size size) {
  const Size length = shorter(length_of(from), size);
  copies(to, from, length);
  fills(to + length, 0, size - length);
  return to;
}
REEX_FUNCTION(char*, strcat, char* to, const char* from) {
  copies(to + length_of(to), from, length_of(from) + 1);
  return to;
}
REEX_FUNCTION(char*, strncat, char* to, const char* from, Size most) {
  char* end = to + length_of(to);
  const Size length = shorter(length_of(from), most);
  copies(end, from, length);
  fills(end + length, 0, 1);
  return to;
}

int main() {
  bool all = true;
  for (unsigned i = 0; i < access_count; ++i) all = is_seen(accesses[i]) && all;
  return all ? 0 : 1;
}
