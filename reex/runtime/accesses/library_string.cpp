// std::string. libstdc++ instantiates its members, and a compiler calls them where it does not inline them
// (without optimization always). Reports what they read and write of the string object and of its text.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;
using Size = std::size_t;

// The parts of mangled names.
#define MEMBER(name) "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE" name
#define CONST_MEMBER(name) "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE" name

namespace {

struct String {
  char* text;
  Size size;
  union {
    char local[16];
    Size capacity;
  };

  Size room() const { return text == local ? sizeof local - 1 : capacity; }
};

constexpr Size k_text_and_size = sizeof(char*) + sizeof(Size);
constexpr Size k_header = k_text_and_size + sizeof(Size); // with the capacity

void reads_header(const String& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
}

void reads(const String& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  watch_read(string.text, string.size, pc);
}

// From `position` on the text changes, up to the new size. A text that does not fit moves to a new place; the
// heap sees that the old one is freed.
void changes(const String& string, Size position, Size new_size, void* pc) {
  if (!is_watched(pc)) return;
  reach_write(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  if (new_size <= string.room()) {
    watch_write(&string.size, sizeof string.size, pc);
    if (position <= new_size) watch_write(string.text + position, new_size + 1 - position, pc);
  } else {
    watch_read(string.text, string.size, pc);
    watch_write(&string, k_header, pc);
  }
}

void reads_text(const char* text, Size size, void* pc) {
  if (is_watched(pc)) watch_read(text, size, pc);
}

void moves(const String& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_write(&string, pc);
  watch_write(&string, k_header, pc);
}

Size length(const char* text) { return __builtin_strlen(text); }

// The registers of arguments and results, which are passed on unchanged.
struct Result {
  Size first;
  Size second;
};
using Argument = Size;
using ConstMember = Result(const String&, Argument, Argument, Argument);

} // namespace

// Members that only read the string.
#define LOOKS_AT(what, function, name)                                                                       \
  REEX_LIBRARY_FUNCTION(Result, function, name, const String& string, Argument a, Argument b, Argument c) {  \
    static constinit Real<ConstMember> real(name);                                                           \
    if (g_watching) [[unlikely]]                                                                             \
      what(string, REEX_CALLER);                                                                             \
    return real(string, a, b, c);                                                                            \
  }

LOOKS_AT(reads_header, string_size, CONST_MEMBER("4sizeEv"))
LOOKS_AT(reads_header, string_length, CONST_MEMBER("6lengthEv"))
LOOKS_AT(reads_header, string_empty, CONST_MEMBER("5emptyEv"))
LOOKS_AT(reads_header, string_c_str, CONST_MEMBER("5c_strEv"))
LOOKS_AT(reads_header, string_data_const, CONST_MEMBER("4dataEv"))
LOOKS_AT(reads_header, string_data, MEMBER("4dataEv"))
LOOKS_AT(reads_header, string_at_const, CONST_MEMBER("2atEm"))
LOOKS_AT(reads_header, string_at, MEMBER("2atEm"))
LOOKS_AT(reads_header, string_index_const, CONST_MEMBER("ixEm"))
LOOKS_AT(reads_header, string_index, MEMBER("ixEm"))
LOOKS_AT(reads_header, string_begin_const, CONST_MEMBER("5beginEv"))
LOOKS_AT(reads_header, string_begin, MEMBER("5beginEv"))
LOOKS_AT(reads_header, string_end_const, CONST_MEMBER("3endEv"))
LOOKS_AT(reads_header, string_end, MEMBER("3endEv"))
LOOKS_AT(reads_header, string_front_const, CONST_MEMBER("5frontEv"))
LOOKS_AT(reads_header, string_front, MEMBER("5frontEv"))
LOOKS_AT(reads_header, string_back_const, CONST_MEMBER("4backEv"))
LOOKS_AT(reads_header, string_back, MEMBER("4backEv"))
LOOKS_AT(reads_header, string_cbegin, CONST_MEMBER("6cbeginEv"))
LOOKS_AT(reads_header, string_cend, CONST_MEMBER("4cendEv"))
LOOKS_AT(reads_header, string_view, CONST_MEMBER("cvSt17basic_string_viewIcS2_EEv"))
LOOKS_AT(reads, string_compare_text, CONST_MEMBER("7compareEPKc"))
LOOKS_AT(reads, string_find_text, CONST_MEMBER("4findEPKcm"))
LOOKS_AT(reads, string_find_sized, CONST_MEMBER("4findEPKcmm"))
LOOKS_AT(reads, string_find_char, CONST_MEMBER("4findEcm"))
LOOKS_AT(reads, string_rfind_text, CONST_MEMBER("5rfindEPKcm"))
LOOKS_AT(reads, string_rfind_sized, CONST_MEMBER("5rfindEPKcmm"))
LOOKS_AT(reads, string_rfind_char, CONST_MEMBER("5rfindEcm"))
LOOKS_AT(reads, string_copy, CONST_MEMBER("4copyEPcmm"))

// Members that also read another string.
#define LOOKS_AT_BOTH(function, name)                                                                        \
  REEX_LIBRARY_FUNCTION(Result, function, name, const String& string, const String& other, Argument a) {     \
    static constinit Real<Result(const String&, const String&, Argument)> real(name);                        \
    if (g_watching) [[unlikely]] {                                                                           \
      reads(string, REEX_CALLER);                                                                            \
      reads(other, REEX_CALLER);                                                                             \
    }                                                                                                        \
    return real(string, other, a);                                                                           \
  }

LOOKS_AT_BOTH(string_compare, CONST_MEMBER("7compareERKS4_"))
LOOKS_AT_BOTH(string_find, CONST_MEMBER("4findERKS4_m"))
LOOKS_AT_BOTH(string_rfind, CONST_MEMBER("5rfindERKS4_m"))

// Members that change the string.
#define CHANGES(function, name, parameters, arguments, ...)                                                  \
  REEX_LIBRARY_FUNCTION(Result, function, name, String& string PARAMETERS parameters) {                      \
    static constinit Real<Result(String& PARAMETERS parameters)> real(name);                                 \
    if (g_watching) [[unlikely]] {                                                                           \
      void* const pc = REEX_CALLER;                                                                          \
      __VA_ARGS__;                                                                                           \
    }                                                                                                        \
    return real(string PARAMETERS arguments);                                                                \
  }
#define PARAMETERS(...) __VA_OPT__(, ) __VA_ARGS__

CHANGES(string_append_part, MEMBER("9_M_appendEPKcm"), (const char* text, Size size), (text, size),
        changes(string, string.size, string.size + size, pc), reads_text(text, size, pc))
CHANGES(string_append_sized, MEMBER("6appendEPKcm"), (const char* text, Size size), (text, size),
        changes(string, string.size, string.size + size, pc), reads_text(text, size, pc))
CHANGES(string_append_text, MEMBER("6appendEPKc"), (const char* text), (text),
        changes(string, string.size, string.size + length(text), pc), reads_text(text, length(text), pc))
CHANGES(string_add_text, MEMBER("pLEPKc"), (const char* text), (text),
        changes(string, string.size, string.size + length(text), pc), reads_text(text, length(text), pc))
CHANGES(string_append, MEMBER("6appendERKS4_"), (const String& other), (other), reads(other, pc),
        changes(string, string.size, string.size + other.size, pc))
CHANGES(string_add, MEMBER("pLERKS4_"), (const String& other), (other), reads(other, pc),
        changes(string, string.size, string.size + other.size, pc))
CHANGES(string_append_chars, MEMBER("6appendEmc"), (Size count, char value), (count, value),
        changes(string, string.size, string.size + count, pc))
CHANGES(string_add_char, MEMBER("pLEc"), (char value), (value),
        changes(string, string.size, string.size + 1, pc))
CHANGES(string_push_back, MEMBER("9push_backEc"), (char value), (value),
        changes(string, string.size, string.size + 1, pc))
CHANGES(string_pop_back, MEMBER("8pop_backEv"), (), (), changes(string, string.size - 1, string.size - 1, pc))
CHANGES(string_assign_other, MEMBER("9_M_assignERKS4_"), (const String& other), (other), reads(other, pc),
        changes(string, 0, other.size, pc))
CHANGES(string_assign, MEMBER("6assignERKS4_"), (const String& other), (other), reads(other, pc),
        changes(string, 0, other.size, pc))
CHANGES(string_set, MEMBER("aSERKS4_"), (const String& other), (other), reads(other, pc),
        changes(string, 0, other.size, pc))
CHANGES(string_set_text, MEMBER("aSEPKc"), (const char* text), (text), changes(string, 0, length(text), pc),
        reads_text(text, length(text), pc))
CHANGES(string_assign_text, MEMBER("6assignEPKc"), (const char* text), (text),
        changes(string, 0, length(text), pc), reads_text(text, length(text), pc))
CHANGES(string_assign_sized, MEMBER("6assignEPKcm"), (const char* text, Size size), (text, size),
        changes(string, 0, size, pc), reads_text(text, size, pc))
CHANGES(string_set_moved, MEMBER("aSEOS4_"), (String & other), (other), moves(other, pc), moves(string, pc))
CHANGES(string_swap, MEMBER("4swapERS4_"), (String & other), (other), moves(other, pc), moves(string, pc))
CHANGES(string_clear, MEMBER("5clearEv"), (), (), changes(string, 0, 0, pc))
CHANGES(string_replace_part, MEMBER("10_M_replaceEmmPKcm"),
        (Size position, Size old_size, const char* text, Size size), (position, old_size, text, size),
        changes(string, position, string.size - old_size + size, pc), reads_text(text, size, pc))
CHANGES(string_replace_chars, MEMBER("14_M_replace_auxEmmmc"),
        (Size position, Size old_size, Size size, char value), (position, old_size, size, value),
        changes(string, position, string.size - old_size + size, pc))
CHANGES(string_mutate, MEMBER("9_M_mutateEmmPKcm"),
        (Size position, Size old_size, const char* text, Size size), (position, old_size, text, size),
        reads(string, pc), moves(string, pc))
CHANGES(string_erase_part, MEMBER("8_M_eraseEmm"), (Size position, Size size), (position, size),
        changes(string, position, string.size - size, pc))
CHANGES(string_erase, MEMBER("5eraseEmm"), (Size position, Size size), (position, size),
        changes(string, position, size < string.size - position ? string.size - size : position, pc))
CHANGES(string_resize, MEMBER("6resizeEm"), (Size size), (size),
        changes(string, size < string.size ? size : string.size, size, pc))
CHANGES(string_resize_filled, MEMBER("6resizeEmc"), (Size size, char value), (size, value),
        changes(string, size < string.size ? size : string.size, size, pc))
CHANGES(string_reserve, MEMBER("7reserveEm"), (Size size), (size),
        size > string.room() ? (reads(string, pc), moves(string, pc)) : reads_header(string, pc))

// Constructors from another string. No other thread can know the new one yet.
#define COPIES(function, name, what)                                                                         \
  REEX_LIBRARY_FUNCTION(void, function, name, String& string, String& other) {                               \
    static constinit Real<void(String&, String&)> real(name);                                                \
    if (g_watching) [[unlikely]]                                                                             \
      what(other, REEX_CALLER);                                                                              \
    real(string, other);                                                                                     \
  }

COPIES(string_copied, MEMBER("C1ERKS4_"), reads)
COPIES(string_copied_base, MEMBER("C2ERKS4_"), reads)
COPIES(string_moved, MEMBER("C1EOS4_"), moves)
COPIES(string_moved_base, MEMBER("C2EOS4_"), moves)
