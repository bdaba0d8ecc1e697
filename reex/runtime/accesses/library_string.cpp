// std::string. libstdc++ instantiates its members, and a compiler calls them where it does not inline them
// (without optimization always). Reports what they read and write of the string object and of its text.
#include <algorithm>

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

void reads_room(const String& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string.text, sizeof string.text, pc);
  if (string.text != string.local) watch_read(&string.capacity, sizeof string.capacity, pc);
}

void reads_part(const String& string, Size position, Size size, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  if (position <= string.size) watch_read(string.text + position, std::min(size, string.size - position), pc);
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

// The text moves where it has more room than it needs.
void shrinks(const String& string, void* pc) {
  reads_header(string, pc);
  if (string.text == string.local || string.size == string.capacity) return;
  reads(string, pc);
  moves(string, pc);
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
LOOKS_AT(reads_room, string_capacity, CONST_MEMBER("8capacityEv"))
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

#define FINDS(function, name)                                                                                \
  LOOKS_AT(reads, string_##function##_text, CONST_MEMBER(name "EPKcm"))                                      \
  LOOKS_AT(reads, string_##function##_sized, CONST_MEMBER(name "EPKcmm"))                                    \
  LOOKS_AT(reads, string_##function##_char, CONST_MEMBER(name "Ecm"))                                        \
  LOOKS_AT_BOTH(string_##function, CONST_MEMBER(name "ERKS4_m"))

FINDS(find, "4find")
FINDS(rfind, "5rfind")
FINDS(find_first_of, "13find_first_of")
FINDS(find_last_of, "12find_last_of")
FINDS(find_first_not_of, "17find_first_not_of")
FINDS(find_last_not_of, "16find_last_not_of")

// Members that compare a part, with what may be another string.
#define COMPARES(function, name, other_type, ...)                                                            \
  REEX_LIBRARY_FUNCTION(Result, function, CONST_MEMBER("7compareEmm" name), const String& string,            \
                        Size position, Size size, other_type other, Argument a, Argument b) {                \
    static constinit Real<Result(const String&, Size, Size, other_type, Argument, Argument)> real(           \
        CONST_MEMBER("7compareEmm" name));                                                                   \
    if (g_watching) [[unlikely]] {                                                                           \
      void* const pc = REEX_CALLER;                                                                          \
      reads_part(string, position, size, pc);                                                                \
      __VA_ARGS__;                                                                                           \
    }                                                                                                        \
    return real(string, position, size, other, a, b);                                                        \
  }

COMPARES(string_compare_part, "PKc", const char*, reads_text(other, length(other), pc))
COMPARES(string_compare_part_sized, "PKcm", const char*, reads_text(other, a, pc))
COMPARES(string_compare_part_other, "RKS4_", const String&, reads(other, pc))
COMPARES(string_compare_parts, "RKS4_mm", const String&, reads_part(other, a, b, pc))

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
CHANGES(string_erase_at, MEMBER("5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EE"), (const char* at), (at),
        changes(string, at - string.text, string.size - 1, pc))
CHANGES(string_erase_range, MEMBER("5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_"),
        (const char* begin, const char* end), (begin, end),
        changes(string, begin - string.text, string.size - (end - begin), pc))
CHANGES(string_insert_char, MEMBER("6insertEN9__gnu_cxx17__normal_iteratorIPKcS4_EEc"),
        (const char* at, char value), (at, value), changes(string, at - string.text, string.size + 1, pc))
CHANGES(string_set_char, MEMBER("aSEc"), (char value), (value), changes(string, 0, 1, pc))
CHANGES(string_set_list, MEMBER("aSESt16initializer_listIcE"), (const char* text, Size size), (text, size),
        changes(string, 0, size, pc))
CHANGES(string_add_list, MEMBER("pLESt16initializer_listIcE"), (const char* text, Size size), (text, size),
        changes(string, string.size, string.size + size, pc))
CHANGES(string_resize, MEMBER("6resizeEm"), (Size size), (size),
        changes(string, size < string.size ? size : string.size, size, pc))
CHANGES(string_resize_filled, MEMBER("6resizeEmc"), (Size size, char value), (size, value),
        changes(string, size < string.size ? size : string.size, size, pc))
CHANGES(string_reserve, MEMBER("7reserveEm"), (Size size), (size),
        size > string.room() ? (reads(string, pc), moves(string, pc)) : reads_header(string, pc))

CHANGES(string_reserve_none, MEMBER("7reserveEv"), (), (), shrinks(string, pc))
CHANGES(string_shrink, MEMBER("13shrink_to_fitEv"), (), (), shrinks(string, pc))

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
