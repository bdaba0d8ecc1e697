// C strings. The byte that ends a string is read too; nothing beyond what the function has to read counts.
#include <cctype>

#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/order/race.h"

using namespace reex;
using Size = std::size_t;

namespace {

constinit Real<Size(const char*)> g_strlen("strlen");
constinit Real<Size(const char*, Size)> g_strnlen("strnlen");
constinit Real<int(const char*, const char*)> g_strcmp("strcmp");
constinit Real<int(const char*, const char*, Size)> g_strncmp("strncmp");
constinit Real<char*(const char*, int)> g_strchr("strchr");
constinit Real<char*(const char*, int)> g_strrchr("strrchr");
constinit Real<char*(const char*, const char*)> g_strstr("strstr");
constinit Real<char*(char*, const char*)> g_strcpy("strcpy");
constinit Real<char*(char*, const char*)> g_stpcpy("stpcpy");
constinit Real<char*(char*, const char*, Size)> g_strncpy("strncpy");
constinit Real<char*(char*, const char*)> g_strcat("strcat");
constinit Real<char*(char*, const char*, Size)> g_strncat("strncat");
constinit Real<char*(const char*)> g_strdup("strdup");
constinit Real<char*(const char*, Size)> g_strndup("strndup");
constinit Real<char*(char*, const char*, Size)> g_stpncpy("stpncpy");
constinit Real<int(const char*, const char*)> g_strcasecmp("strcasecmp");
constinit Real<int(const char*, const char*, Size)> g_strncasecmp("strncasecmp");
constinit Real<char*(const char*, const char*)> g_strcasestr("strcasestr");
constinit Real<Size(const char*, const char*)> g_strspn("strspn");
constinit Real<Size(const char*, const char*)> g_strcspn("strcspn");
constinit Real<char*(char*, const char*, Size)> g_strcpy_chk("__strcpy_chk");
constinit Real<char*(char*, const char*, Size, Size)> g_strncpy_chk("__strncpy_chk");
constinit Real<char*(char*, const char*, Size)> g_strcat_chk("__strcat_chk");

constexpr Size k_unlimited = ~Size{0};

// The bytes that are read of a string, at most `most`, with the byte that ends it if it lies within.
Size extent(const char* text, Size most) {
  const Size length = g_strnlen(text, most);
  return length < most ? length + 1 : most;
}

void reads(const char* text, Size most, void* pc) {
  if (most == 0 || !is_watched(pc)) return;
  reach_read(text, pc);
  watch_read(text, extent(text, most), pc);
}

bool is_same(char a, char b) { return a == b; }
bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

void compares(const char* a, const char* b, Size most, void* pc, bool (*same)(char, char) = is_same) {
  if (most == 0 || !is_watched(pc)) return;
  reach_read(a, pc);
  reach_read(b, pc);
  Size read = 1;
  while (read < most && same(a[read - 1], b[read - 1]) && a[read - 1] != '\0') ++read;
  watch_read(a, read, pc);
  watch_read(b, read, pc);
}

void copies(char* to, const char* from, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  const Size size = extent(from, k_unlimited);
  watch_read(from, size, pc);
  watch_write(to, size, pc);
}

void copies_and_pads(char* to, const char* from, Size size, void* pc) {
  if (size == 0 || !is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  watch_read(from, extent(from, size), pc);
  watch_write(to, size, pc);
}

void appends(char* to, const char* from, Size most, void* pc) {
  if (!is_watched(pc)) return;
  reach_read(from, pc);
  reach_write(to, pc);
  const Size length = g_strlen(to);
  const Size added = g_strnlen(from, most);
  watch_read(to, length + 1, pc);
  if (most != 0) watch_read(from, extent(from, most), pc);
  watch_write(to + length, added + 1, pc);
}

// Reads up to the character that was found.
char* finds(char* found, const char* in, void* pc) {
  watch_read(in, found == nullptr ? extent(in, k_unlimited) : static_cast<Size>(found - in) + 1, pc);
  return found;
}

// Reads the set, and the text up to the first character that ends the span.
Size spans(const char* in, const char* set, void* pc, Real<Size(const char*, const char*)>& span) {
  if (!g_watching || !is_watched(pc)) [[likely]]
    return span(in, set);
  reach_read(in, pc);
  reach_read(set, pc);
  watch_read(set, extent(set, k_unlimited), pc);
  const Size length = span(in, set);
  watch_read(in, length + 1, pc);
  return length;
}

char* finds_text(const char* in, const char* wanted, void* pc, Real<char*(const char*, const char*)>& find) {
  if (!g_watching || !is_watched(pc)) [[likely]]
    return find(in, wanted);
  reach_read(in, pc);
  reach_read(wanted, pc);
  const Size length = g_strlen(wanted);
  watch_read(wanted, length + 1, pc);
  char* found = find(in, wanted);
  watch_read(in, found == nullptr ? extent(in, k_unlimited) : static_cast<Size>(found - in) + length, pc);
  return found;
}

} // namespace

REEX_LIBRARY_FUNCTION(Size, library_strlen, "strlen", const char* text) {
  if (g_watching) [[unlikely]]
    reads(text, k_unlimited, REEX_CALLER);
  return g_strlen(text);
}

REEX_LIBRARY_FUNCTION(Size, library_strnlen, "strnlen", const char* text, Size most) {
  if (g_watching) [[unlikely]]
    reads(text, most, REEX_CALLER);
  return g_strnlen(text, most);
}

REEX_LIBRARY_FUNCTION(int, library_strcmp, "strcmp", const char* a, const char* b) {
  if (g_watching) [[unlikely]]
    compares(a, b, k_unlimited, REEX_CALLER);
  return g_strcmp(a, b);
}

REEX_LIBRARY_FUNCTION(int, library_strncmp, "strncmp", const char* a, const char* b, Size most) {
  if (g_watching) [[unlikely]]
    compares(a, b, most, REEX_CALLER);
  return g_strncmp(a, b, most);
}

REEX_LIBRARY_FUNCTION(char*, library_strchr, "strchr", const char* in, int wanted) {
  void* const pc = REEX_CALLER;
  if (!g_watching || !is_watched(pc)) [[likely]]
    return g_strchr(in, wanted);
  reach_read(in, pc);
  return finds(g_strchr(in, wanted), in, pc);
}

REEX_LIBRARY_FUNCTION(char*, library_strrchr, "strrchr", const char* in, int wanted) {
  if (g_watching) [[unlikely]]
    reads(in, k_unlimited, REEX_CALLER);
  return g_strrchr(in, wanted);
}

REEX_LIBRARY_FUNCTION(char*, library_strstr, "strstr", const char* in, const char* wanted) {
  return finds_text(in, wanted, REEX_CALLER, g_strstr);
}

REEX_LIBRARY_FUNCTION(char*, library_strcasestr, "strcasestr", const char* in, const char* wanted) {
  return finds_text(in, wanted, REEX_CALLER, g_strcasestr);
}

REEX_LIBRARY_FUNCTION(int, library_strcasecmp, "strcasecmp", const char* a, const char* b) {
  if (g_watching) [[unlikely]]
    compares(a, b, k_unlimited, REEX_CALLER, is_same_letter);
  return g_strcasecmp(a, b);
}

REEX_LIBRARY_FUNCTION(int, library_strncasecmp, "strncasecmp", const char* a, const char* b, Size most) {
  if (g_watching) [[unlikely]]
    compares(a, b, most, REEX_CALLER, is_same_letter);
  return g_strncasecmp(a, b, most);
}

REEX_LIBRARY_FUNCTION(Size, library_strspn, "strspn", const char* in, const char* set) {
  return spans(in, set, REEX_CALLER, g_strspn);
}

REEX_LIBRARY_FUNCTION(Size, library_strcspn, "strcspn", const char* in, const char* set) {
  return spans(in, set, REEX_CALLER, g_strcspn);
}

REEX_LIBRARY_FUNCTION(char*, library_strpbrk, "strpbrk", const char* in, const char* set) {
  const char* const found = in + spans(in, set, REEX_CALLER, g_strcspn);
  return *found == '\0' ? nullptr : const_cast<char*>(found);
}

REEX_LIBRARY_FUNCTION(char*, library_strcpy, "strcpy", char* to, const char* from) {
  if (g_watching) [[unlikely]]
    copies(to, from, REEX_CALLER);
  return g_strcpy(to, from);
}

REEX_LIBRARY_FUNCTION(char*, library_stpcpy, "stpcpy", char* to, const char* from) {
  if (g_watching) [[unlikely]]
    copies(to, from, REEX_CALLER);
  return g_stpcpy(to, from);
}

REEX_LIBRARY_FUNCTION(char*, library_strncpy, "strncpy", char* to, const char* from, Size size) {
  if (g_watching) [[unlikely]]
    copies_and_pads(to, from, size, REEX_CALLER);
  return g_strncpy(to, from, size);
}

REEX_LIBRARY_FUNCTION(char*, library_stpncpy, "stpncpy", char* to, const char* from, Size size) {
  if (g_watching) [[unlikely]]
    copies_and_pads(to, from, size, REEX_CALLER);
  return g_stpncpy(to, from, size);
}

REEX_LIBRARY_FUNCTION(char*, library_strcat, "strcat", char* to, const char* from) {
  if (g_watching) [[unlikely]]
    appends(to, from, k_unlimited, REEX_CALLER);
  return g_strcat(to, from);
}

REEX_LIBRARY_FUNCTION(char*, library_strncat, "strncat", char* to, const char* from, Size most) {
  if (g_watching) [[unlikely]]
    appends(to, from, most, REEX_CALLER);
  return g_strncat(to, from, most);
}

REEX_LIBRARY_FUNCTION(char*, library_strdup, "strdup", const char* text) {
  if (g_watching) [[unlikely]]
    reads(text, k_unlimited, REEX_CALLER);
  return g_strdup(text);
}

REEX_LIBRARY_FUNCTION(char*, library_strndup, "strndup", const char* text, Size most) {
  if (g_watching) [[unlikely]]
    reads(text, most, REEX_CALLER);
  return g_strndup(text, most);
}

REEX_LIBRARY_FUNCTION(char*, library_strcpy_chk, "__strcpy_chk", char* to, const char* from, Size room) {
  if (g_watching) [[unlikely]]
    copies(to, from, REEX_CALLER);
  return g_strcpy_chk(to, from, room);
}

REEX_LIBRARY_FUNCTION(char*, library_strncpy_chk, "__strncpy_chk", char* to, const char* from, Size size,
                      Size room) {
  if (g_watching) [[unlikely]]
    copies_and_pads(to, from, size, REEX_CALLER);
  return g_strncpy_chk(to, from, size, room);
}

REEX_LIBRARY_FUNCTION(char*, library_strcat_chk, "__strcat_chk", char* to, const char* from, Size room) {
  if (g_watching) [[unlikely]]
    appends(to, from, k_unlimited, REEX_CALLER);
  return g_strcat_chk(to, from, room);
}

// The functions that the runtime itself calls under these names.
extern "C" {
Size __wrap_strlen(const char* text) { return g_strlen(text); }
Size __wrap_strnlen(const char* text, Size most) { return g_strnlen(text, most); }
int __wrap_strcmp(const char* a, const char* b) { return g_strcmp(a, b); }
int __wrap_strncmp(const char* a, const char* b, Size most) { return g_strncmp(a, b, most); }
char* __wrap_strchr(const char* in, int wanted) { return g_strchr(in, wanted); }
char* __wrap_strrchr(const char* in, int wanted) { return g_strrchr(in, wanted); }
char* __wrap_strstr(const char* in, const char* wanted) { return g_strstr(in, wanted); }
char* __wrap_strcpy(char* to, const char* from) { return g_strcpy(to, from); }
}
