// std::string and std::wstring. libstdc++ instantiates their members, and a compiler calls them where it does
// not inline them (without optimization always). Reports what they read and write of the string object and of
// its text.
#include <algorithm>
#include <string>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;
using Size = std::size_t;

namespace {

template <typename Char>
struct BasicString {
  Char* text;
  Size size;
  union {
    Char local[16 / sizeof(Char)];
    Size capacity;
  };

  Size room() const { return text == local ? sizeof local / sizeof(Char) - 1 : capacity; }
};

constexpr Size k_text_and_size = sizeof(void*) + sizeof(Size);
constexpr Size k_header = k_text_and_size + sizeof(Size); // with the capacity

template <typename Char>
void reads_header(const BasicString<Char>& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
}

template <typename Char>
void reads(const BasicString<Char>& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  watch_read(string.text, string.size * sizeof(Char), pc);
}

template <typename Char>
void reads_room(const BasicString<Char>& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string.text, sizeof string.text, pc);
  if (string.text != string.local) watch_read(&string.capacity, sizeof string.capacity, pc);
}

template <typename Char>
void reads_part(const BasicString<Char>& string, Size position, Size size, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  if (position <= string.size)
    watch_read(string.text + position, std::min(size, string.size - position) * sizeof(Char), pc);
}

// From `position` on the text changes, up to the new size. A text that does not fit moves to a new place; the
// heap sees that the old one is freed.
template <typename Char>
void changes(const BasicString<Char>& string, Size position, Size new_size, void* pc) {
  if (!is_watched(pc)) return;
  reach_write(&string, pc);
  watch_read(&string, k_text_and_size, pc);
  if (new_size <= string.room()) {
    watch_write(&string.size, sizeof string.size, pc);
    if (position <= new_size)
      watch_write(string.text + position, (new_size + 1 - position) * sizeof(Char), pc);
  } else {
    watch_read(string.text, string.size * sizeof(Char), pc);
    watch_write(&string, k_header, pc);
  }
}

// A part is replaced by so many characters.
template <typename Char>
void replaces(const BasicString<Char>& string, Size position, Size old_size, Size new_size, void* pc) {
  if (position > string.size) return reads_header(string, pc); // which is an error
  changes(string, position, string.size - std::min(old_size, string.size - position) + new_size, pc);
}

template <typename Char>
Size size_of_part(const BasicString<Char>& string, Size position, Size size) {
  return position > string.size ? 0 : std::min(size, string.size - position);
}

template <typename Char>
void reads_text(const Char* text, Size size, void* pc) {
  if (is_watched(pc)) watch_read(text, size * sizeof(Char), pc);
}

template <typename Char>
void moves(const BasicString<Char>& string, void* pc) {
  if (!is_watched(pc)) return;
  reach_write(&string, pc);
  watch_write(&string, k_header, pc);
}

// The text moves where it has more room than it needs.
template <typename Char>
void shrinks(const BasicString<Char>& string, void* pc) {
  reads_header(string, pc);
  if (string.text == string.local || string.size == string.capacity) return;
  reads(string, pc);
  moves(string, pc);
}

template <typename Char>
Size length(const Char* text) {
  return std::char_traits<Char>::length(text);
}

// The registers of arguments and results, which are passed on unchanged.
struct Result {
  Size first;
  Size second;
};
using Argument = Size;
template <typename Char>
using ConstMember = Result(const BasicString<Char>&, Argument, Argument, Argument);

} // namespace

// The parts of mangled names.
#define MEMBER(name) "_ZNSt7__cxx1112basic_stringI" LETTER "St11char_traitsI" LETTER "ESaI" LETTER "EE" name
#define CONST_MEMBER(name)                                                                                   \
  "_ZNKSt7__cxx1112basic_stringI" LETTER "St11char_traitsI" LETTER "ESaI" LETTER "EE" name

// Members that only read the string.
#define LOOKS_AT(what, function, name)                                                                       \
  REEX_LIBRARY_FUNCTION(Result, NAMED(function), name, const String& string, Argument a, Argument b,         \
                        Argument c) {                                                                        \
    static constinit Real<ConstMember<Char>> real(name);                                                     \
    if (g_watching) [[unlikely]]                                                                             \
      what(string, REEX_CALLER);                                                                             \
    return real(string, a, b, c);                                                                            \
  }

// Members that also read another string.
#define LOOKS_AT_BOTH(function, name)                                                                        \
  REEX_LIBRARY_FUNCTION(Result, NAMED(function), name, const String& string, const String& other,            \
                        Argument a) {                                                                        \
    static constinit Real<Result(const String&, const String&, Argument)> real(name);                        \
    if (g_watching) [[unlikely]] {                                                                           \
      reads(string, REEX_CALLER);                                                                            \
      reads(other, REEX_CALLER);                                                                             \
    }                                                                                                        \
    return real(string, other, a);                                                                           \
  }

// All members of a name that search.
#define FINDS(function, name)                                                                                \
  LOOKS_AT(reads, string_##function##_text, CONST_MEMBER(name "EPK" LETTER "m"))                             \
  LOOKS_AT(reads, string_##function##_sized, CONST_MEMBER(name "EPK" LETTER "mm"))                           \
  LOOKS_AT(reads, string_##function##_char, CONST_MEMBER(name "E" LETTER "m"))                               \
  LOOKS_AT_BOTH(string_##function, CONST_MEMBER(name "ERKS4_m"))

// Members that compare a part, with what may be another string.
#define COMPARES(function, name, other_type, ...)                                                            \
  REEX_LIBRARY_FUNCTION(Result, NAMED(function), CONST_MEMBER("7compareEmm" name), const String& string,     \
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

// Members that change the string.
#define CHANGES(function, name, parameters, arguments, ...)                                                  \
  REEX_LIBRARY_FUNCTION(Result, NAMED(function), name, String& string PARAMETERS parameters) {               \
    static constinit Real<Result(String& PARAMETERS parameters)> real(name);                                 \
    if (g_watching) [[unlikely]] {                                                                           \
      void* const pc = REEX_CALLER;                                                                          \
      __VA_ARGS__;                                                                                           \
    }                                                                                                        \
    return real(string PARAMETERS arguments);                                                                \
  }
#define PARAMETERS(...) __VA_OPT__(, ) __VA_ARGS__

// Members that return another string of a part.
#define COPIES_PART(function, name)                                                                          \
  REEX_LIBRARY_FUNCTION(void*, NAMED(function), name, void* made, const String& string, Size position,       \
                        Size size) {                                                                         \
    static constinit Real<void*(void*, const String&, Size, Size)> real(name);                               \
    if (g_watching) [[unlikely]]                                                                             \
      reads_part(string, position, size, REEX_CALLER);                                                       \
    return real(made, string, position, size);                                                               \
  }

// Constructors from another string. No other thread can know the new one yet.
#define COPIES(function, name, what)                                                                         \
  REEX_LIBRARY_FUNCTION(void, NAMED(function), name, String& string, String& other) {                        \
    static constinit Real<void(String&, String&)> real(name);                                                \
    if (g_watching) [[unlikely]]                                                                             \
      what(other, REEX_CALLER);                                                                              \
    real(string, other);                                                                                     \
  }

namespace strings {
using Char = char;
using String = BasicString<Char>;
#define LETTER "c"
#define NAMED(function) function
#include "reex/runtime/accesses/library_string.def"
#undef LETTER
#undef NAMED
} // namespace strings

namespace wide_strings {
using Char = wchar_t;
using String = BasicString<Char>;
#define LETTER "w"
#define NAMED(function) wide_##function
#include "reex/runtime/accesses/library_string.def"
#undef LETTER
#undef NAMED
} // namespace wide_strings
