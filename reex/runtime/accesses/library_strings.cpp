// C strings, also those of wchar_t. The character that ends a string is read too; nothing beyond what the
// function has to read counts.
#include <cctype>
#include <cwchar>
#include <cwctype>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;
using Size = std::size_t;

namespace {

constinit Real<Size(const char*, Size)> g_strnlen("strnlen");
constinit Real<Size(const wchar_t*, Size)> g_wcsnlen("wcsnlen");

constexpr Size k_unlimited = ~Size{0};

Size length(const char* text, Size most) { return g_strnlen(text, most); }
Size length(const wchar_t* text, Size most) { return g_wcsnlen(text, most); }

// The characters that are read of a string, at most `most`, with the one that ends it if it lies within.
template <typename Char>
Size extent(const Char* text, Size most) {
  const Size found = length(text, most);
  return found < most ? found + 1 : most;
}

template <typename Char>
void watch_read_of(const Char* text, Size count, void* pc) {
  watch_read(text, count * sizeof(Char), pc);
}

template <typename Char>
void watch_write_of(const Char* text, Size count, void* pc) {
  watch_write(text, count * sizeof(Char), pc);
}

template <typename Char>
void reads(const Char* text, Size most, void* pc) {
  if (most == 0 || !is_watched(pc)) return;
  reach_read(text, pc);
  watch_read_of(text, extent(text, most), pc);
}

template <typename Char>
bool is_same(Char a, Char b) {
  return a == b;
}

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool is_same_letter(wchar_t a, wchar_t b) {
  return std::towlower(static_cast<std::wint_t>(a)) == std::towlower(static_cast<std::wint_t>(b));
}

template <typename Char>
void compares(const Char* a, const Char* b, Size most, void* pc, bool (*same)(Char, Char) = is_same) {
  if (most == 0 || !is_watched(pc)) return;
  reach_read(a, pc);
  reach_read(b, pc);
  Size read = 1;
  while (read < most && same(a[read - 1], b[read - 1]) && a[read - 1] != 0) ++read;
  watch_read_of(a, read, pc);
  watch_read_of(b, read, pc);
}

template <typename Char>
void copies(Char* to, const Char* from, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  const Size size = extent(from, k_unlimited);
  watch_read_of(from, size, pc);
  watch_write_of(to, size, pc);
}

template <typename Char>
void copies_and_pads(Char* to, const Char* from, Size size, void* pc) {
  if (size == 0 || !is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  watch_read_of(from, extent(from, size), pc);
  watch_write_of(to, size, pc);
}

template <typename Char>
void appends(Char* to, const Char* from, Size most, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  const Size before = length(to, k_unlimited);
  const Size added = length(from, most);
  watch_read_of(to, before + 1, pc);
  if (most != 0) watch_read_of(from, extent(from, most), pc);
  watch_write_of(to + before, added + 1, pc);
}

// Reads up to the character that is found.
template <typename Char, typename Wanted>
Char* finds(const Char* in, Wanted wanted, void* pc, Real<Char*(const Char*, Wanted)>& find) {
  if (!g_watching || !is_watched(pc)) [[likely]]
    return find(in, wanted);
  reach_read(in, pc);
  Char* found = find(in, wanted);
  watch_read_of(in, found == nullptr ? extent(in, k_unlimited) : static_cast<Size>(found - in) + 1, pc);
  return found;
}

// Reads the set, and the text up to the first character that ends the span.
template <typename Char>
Size spans(const Char* in, const Char* set, void* pc, Real<Size(const Char*, const Char*)>& span) {
  if (!g_watching || !is_watched(pc)) [[likely]]
    return span(in, set);
  reach_read(in, pc);
  reach_read(set, pc);
  watch_read_of(set, extent(set, k_unlimited), pc);
  const Size found = span(in, set);
  watch_read_of(in, found + 1, pc);
  return found;
}

template <typename Char>
Char* finds_text(const Char* in, const Char* wanted, void* pc, Real<Char*(const Char*, const Char*)>& find) {
  if (!g_watching || !is_watched(pc)) [[likely]]
    return find(in, wanted);
  reach_read(in, pc);
  reach_read(wanted, pc);
  const Size size = length(wanted, k_unlimited);
  watch_read_of(wanted, size + 1, pc);
  Char* found = find(in, wanted);
  watch_read_of(in, found == nullptr ? extent(in, k_unlimited) : static_cast<Size>(found - in) + size, pc);
  return found;
}

} // namespace

namespace strings {
using Char = char;
using Wanted = int;
#define NAME(part) "str" part
#define END_NAME(part) "st" part
#define NAMED(function) library_str##function
#include "reex/runtime/accesses/library_strings.def"
#undef NAME
#undef END_NAME
#undef NAMED
} // namespace strings

namespace wide_strings {
using Char = wchar_t;
using Wanted = wchar_t;
#define NAME(part) "wcs" part
#define END_NAME(part) "wc" part
#define NAMED(function) library_wcs##function
#include "reex/runtime/accesses/library_strings.def"
#undef NAME
#undef END_NAME
#undef NAMED
} // namespace wide_strings

namespace {
constinit Real<char*(const char*, Size)> g_strndup("strndup");
constinit Real<char*(const char*, const char*)> g_strcasestr("strcasestr");
} // namespace

REEX_LIBRARY_FUNCTION(char*, library_strndup, "strndup", const char* text, Size most) {
  if (g_watching) [[unlikely]]
    reads(text, most, REEX_CALLER);
  return g_strndup(text, most);
}

REEX_LIBRARY_FUNCTION(char*, library_strcasestr, "strcasestr", const char* in, const char* wanted) {
  return finds_text(in, wanted, REEX_CALLER, g_strcasestr);
}

// The functions that the runtime itself calls under these names.
extern "C" {
Size __wrap_strlen(const char* text) { return strings::g_len(text); }
Size __wrap_strnlen(const char* text, Size most) { return g_strnlen(text, most); }
int __wrap_strcmp(const char* a, const char* b) { return strings::g_cmp(a, b); }
int __wrap_strncmp(const char* a, const char* b, Size most) { return strings::g_ncmp(a, b, most); }
char* __wrap_strchr(const char* in, int wanted) { return strings::g_chr(in, wanted); }
char* __wrap_strrchr(const char* in, int wanted) { return strings::g_rchr(in, wanted); }
char* __wrap_strstr(const char* in, const char* wanted) { return strings::g_str(in, wanted); }
char* __wrap_strcpy(char* to, const char* from) { return strings::g_cpy(to, from); }
}
