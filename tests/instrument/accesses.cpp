// Small functions that write and read blocks of memory, as programs do. A compiler may make a call of each,
// or plain instructions. It is compiled with the flags of reex; recorder.cpp runs the functions.
#include "tests/instrument/accesses.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <strings.h>

namespace {

volatile int g_result; // so that comparisons are not left out

template <unsigned n>
struct Block {
  char bytes[n];
};

template <unsigned n>
void set(char* to, const char*) {
  std::memset(to, 0, n);
}
template <unsigned n>
void copy(char* to, const char* from) {
  std::memcpy(to, from, n);
}
template <unsigned n>
void move(char* to, const char* from) {
  std::memmove(to, from, n);
}
template <unsigned n>
void assign(char* to, const char* from) {
  *reinterpret_cast<Block<n>*>(to) = *reinterpret_cast<const Block<n>*>(from);
}
template <unsigned n>
void clear(char* to, const char*) {
  *reinterpret_cast<Block<n>*>(to) = Block<n>{};
}
template <unsigned n>
void is_equal(char*, const char* from) {
  static const char same[] = "a text that is longer than some registers";
  g_result = std::memcmp(from, same, n) == 0;
}
template <unsigned n>
void copy_out(char*, const char* from) {
  char local[n];
  std::memmove(local, from, n);
  asm volatile("" : : "r"(local) : "memory");
}
template <unsigned n>
void loop(char* to, const char* from) {
  for (unsigned i = 0; i < n; ++i) to[i] = from[i];
}

void zero(char* to, const char*) { bzero(to, 24); }
void back_copy(char* to, const char* from) { bcopy(from, to, 24); }
void equal_bytes(char*, const char* from) { g_result = bcmp(from, k_text, 8) == 0; }
void ahead(char* to, const char* from) { g_result = mempcpy(to, from, 24) == to; }
void copy_text(char* to, const char*) { std::strcpy(to, "0123456789abcdef"); }
void copy_far(char* to, const char*) { g_result = stpcpy(to, "0123456789abcdef") == to; }
void copy_some(char* to, const char*) { std::strncpy(to, "0123456789abcdef", 30); }
void append(char* to, const char*) { std::strcat(to, "0123456789abcdef"); }
void append_some(char* to, const char*) { std::strncat(to, "0123456789abcdef", 30); }
void is_text(char*, const char* from) { g_result = std::strcmp(from, "a text") == 0; }
void is_letter(char*, const char* from) { g_result = std::strcmp(from, "a") == 0; }
void begins(char*, const char* from) { g_result = std::strncmp(from, "a text", 3) == 0; }
void is_empty(char*, const char* from) { g_result = std::strlen(from) == 0; }
void length(char*, const char* from) { g_result = static_cast<int>(std::strlen(from)); }
void finds_space(char*, const char* from) { g_result = std::memchr(from, ' ', 8) != nullptr; }
void update(char*, const char* from) { *const_cast<char*>(from) |= 0x20; } // it is a small letter already
void fill_words(char* to, const char*) {
  auto& words = *reinterpret_cast<std::array<long, 3>*>(to);
  std::fill(words.begin(), words.end(), 0);
}
void copy_words(char* to, const char* from) {
  const auto& words = *reinterpret_cast<const std::array<long, 3>*>(from);
  std::copy(words.begin(), words.end(), reinterpret_cast<long*>(to));
}
void assign_words(char* to, const char* from) {
  *reinterpret_cast<std::array<long, 3>*>(to) = *reinterpret_cast<const std::array<long, 3>*>(from);
}

// By value: in registers, and on the stack.
template <class Type>
__attribute__((noinline)) Type made() {
  Type value{};
  asm volatile("" : "+m"(value));
  return value;
}
template <class Type>
__attribute__((noinline)) void use(Type value) {
  asm volatile("" : "+m"(value));
}
template <class Type>
void returned(char* to, const char*) {
  *reinterpret_cast<Type*>(to) = made<Type>();
}
template <class Type>
void passed(char*, const char* from) {
  use(*reinterpret_cast<const Type*>(from));
}
template <class Type>
void both(char* to, const char* from) {
  use(*reinterpret_cast<const Type*>(from));
  *reinterpret_cast<Type*>(to) = made<Type>();
  use(*reinterpret_cast<const Type*>(from));
}
struct Mixed {
  double first;
  long second;
};
#ifdef __AVX__
typedef float Wide __attribute__((vector_size(32), aligned(4)));
#endif

// Another thread may use the object.
void members_of_local(char*, const char*) {
  struct {
    long first, second;
  } local{};
  hand_out(&local, sizeof local);
  local.first = 1;
  local.second = 2;
  asm volatile("" : : "r"(&local) : "memory");
  g_result = static_cast<int>(local.first + local.second);
}
void items_of_local(char*, const char*) {
  int local[4] = {};
  hand_out(local, sizeof local);
  for (int i = 0; i < 4; ++i) local[i] = g_result;
  asm volatile("" : : "r"(local) : "memory");
  for (const int item : local) g_result = item;
}

} // namespace

#define REEX_SIZES(function, written, read)                                                                  \
  {#function " 3", function<3>, 3 * written, 3 * read},                                                      \
      {#function " 4", function<4>, 4 * written, 4 * read},                                                  \
      {#function " 8", function<8>, 8 * written, 8 * read},                                                  \
      {#function " 16", function<16>, 16 * written, 16 * read},                                              \
      {#function " 24", function<24>, 24 * written, 24 * read}, {                                            \
#function " 40", function < 40>, 40 * written, 40 * read                                                 \
  }
#define REEX_LARGE(function, written, read)                                                                  \
  {#function " 100", function<100>, 100 * written, 100 * read}, {                                            \
#function " 400", function < 400>, 400 * written, 400 * read                                             \
  }

const Access accesses[] = {
    REEX_SIZES(set, 1, 0),
    REEX_LARGE(set, 1, 0),
    REEX_SIZES(copy, 1, 1),
    REEX_LARGE(copy, 1, 1),
    REEX_SIZES(move, 1, 1),
    REEX_LARGE(move, 1, 1),
    REEX_SIZES(assign, 1, 1),
    REEX_LARGE(assign, 1, 1),
    REEX_SIZES(clear, 1, 0),
    REEX_LARGE(clear, 1, 0),
    REEX_SIZES(loop, 1, 1),
    REEX_LARGE(loop, 1, 1),
    REEX_SIZES(is_equal, 0, 1),
    REEX_SIZES(copy_out, 0, 1),
    REEX_LARGE(copy_out, 0, 1),
    {"returned long", returned<std::array<long, 1>>, 8, 0},
    {"returned longs", returned<std::array<long, 2>>, 16, 0},
    {"returned floats", returned<std::array<float, 3>>, 12, 0},
    {"returned both", returned<Mixed>, 16, 0},
    {"passed long", passed<std::array<long, 1>>, 0, 8},
    {"passed longs", passed<std::array<long, 2>>, 0, 16},
    {"passed floats", passed<std::array<float, 3>>, 0, 12},
    {"passed both", passed<Mixed>, 0, 16},
    {"passed and returned", both<Mixed>, 16, 16},
#ifndef __clang__ // docs/semantics.md: "Races and rounds"
    {"returned bytes", returned<Block<7>>, 7, 0},
    {"passed bytes", passed<Block<7>>, 0, 7},
    {"passed on the stack", passed<Block<40>>, 0, 40},
    {"passed in two registers", passed<Block<64>>, 0, 64},
    {"passed in four", passed<Block<128>>, 0, 128},
    {"passed far", passed<Block<400>>, 0, 400},
#ifdef __AVX__
    {"returned wide", returned<Wide>, 32, 0},
    {"passed wide", passed<Wide>, 0, 32},
    {"passed and returned wide", both<Wide>, 32, 32},
#endif
#endif
    {"bzero", zero, 24, 0},
    {"bcopy", back_copy, 24, 24},
    {"bcmp", equal_bytes, 0, 8},
    {"mempcpy", ahead, 24, 24},
    {"strcpy", copy_text, 17, 0},
    {"stpcpy", copy_far, 17, 0},
    {"strncpy", copy_some, 30, 0},
    {"strcat", append, 17, 0},
    {"strncat", append_some, 17, 0},
    {"strcmp", is_text, 0, 7},
    {"strcmp of a letter", is_letter, 0, 2},
    {"strncmp", begins, 0, 3},
    {"strlen == 0", is_empty, 0, 1},
    {"strlen", length, 0, sizeof k_text},
    {"memchr", finds_space, 0, 2},
    {"read before a write", update, 0, 1},
    {"std::fill", fill_words, 24, 0},
    {"std::copy", copy_words, 24, 24},
    {"std::array", assign_words, 24, 24},
    {"members of a local object", members_of_local, 16, 16},
    {"items of a local array", items_of_local, 16, 16},
};
const unsigned access_count = sizeof accesses / sizeof *accesses;
