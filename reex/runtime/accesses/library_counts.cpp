// Reference counts inside libstdc++. Its atomics are not instrumented, but they order threads. A thread that
// drops a reference publishes what it did with the object. It may also be the one that destroys the object
// after all others.
#include "reex/runtime/accesses/library_call.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/order/fingerprint.h"
#include "reex/runtime/order/happens_before.h"
#include "reex/runtime/order/race.h"

using namespace reex;

namespace {

constexpr std::size_t k_exception_header = 128; // __cxa_refcounted_exception; the count is its first field
constexpr std::size_t k_thrown_header = 112;    // the part of it that lies before the object
constexpr std::size_t k_exception_class = 80;   // offset in that part
constexpr std::uint64_t k_thrown = 0x474e5543432b2b00;   // "GNUCC++\0"
constexpr std::uint64_t k_rethrown = 0x474e5543432b2b01; // by rethrow_exception: refers to the thrown object
constexpr std::size_t k_string_count = 8;                // before the text of a counted string

struct CaughtExceptions { // __cxa_eh_globals
  const char* innermost;
  unsigned uncaught;
};

struct TextError { // std::runtime_error, std::logic_error: the message is a counted string
  const void* table;
  const char* text;
};

struct Locale {
  const void* contents; // the count is its first field
};

constinit Real<void(void**)> g_release("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
constinit Real<void()> g_end_catch("__cxa_end_catch");
constinit Real<CaughtExceptions*()> g_caught("__cxa_get_globals");
constinit Real<void(TextError*)> g_end_runtime_error("_ZNSt13runtime_errorD2Ev");
constinit Real<void(TextError*)> g_end_logic_error("_ZNSt11logic_errorD2Ev");
constinit Real<void(Locale*)> g_end_locale("_ZNSt6localeD1Ev");
constinit Real<Locale&(Locale&, const Locale&)> g_assign_locale("_ZNSt6localeaSERKS_");

bool is_ordered() { return g_ordering && g_watching && g.active; }

void drop(const void* count) {
  release_to(count);
  acquire_from(count);
}

const int* count_of_exception(const char* object) {
  return reinterpret_cast<const int*>(object - k_exception_header);
}

// The count of the exception whose handler ends; null for an exception of another language.
const int* count_of_caught() {
  const char* header = g_caught()->innermost;
  if (header == nullptr) return nullptr;
  const auto kind = *reinterpret_cast<const std::uint64_t*>(header + k_exception_class);
  if (kind == k_thrown) return count_of_exception(header + k_thrown_header);
  if (kind == k_rethrown) return count_of_exception(*reinterpret_cast<const char* const*>(header));
  return nullptr;
}

// Which owner of an exception is the last one, and destroys it, depends on the order of the others: they are
// scheduling points (semantics: "Hidden state"). A new owner changes nothing for the others, since it is made
// from one that exists. A single owner is the last one in any order from here on; it only follows the others.
void drop_exception(const int* count, void* pc, void* frame) {
  if (!g.active) return;
  fingerprint_dark(true); // what it does depends on how many owners there are
  void* object = const_cast<int*>(count);
  if (*count > 1 && g.live > 1)
    visible(Operation::library_write, object, pc, frame);
  else
    fingerprint_words(Operation::library_write, object, sizeof *count);
  if (is_ordered()) drop(count);
}

void ends_text_error(const TextError& error) {
  if (is_ordered()) drop(error.text - k_string_count);
}

void ends_locale(const Locale& locale) {
  if (is_ordered()) drop(locale.contents);
}

} // namespace

REEX_LIBRARY_FUNCTION(void, exception_release, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
                      void** pointer) {
  if (*pointer != nullptr)
    drop_exception(count_of_exception(static_cast<char*>(*pointer)), REEX_CALLER, REEX_FRAME);
  g_release(pointer);
}

REEX_LIBRARY_FUNCTION(void, end_catch, "__cxa_end_catch") {
  if (g.active)
    if (const int* count = count_of_caught(); count != nullptr)
      drop_exception(count, REEX_CALLER, REEX_FRAME);
  g_end_catch();
}

REEX_LIBRARY_FUNCTION(void, end_runtime_error, "_ZNSt13runtime_errorD2Ev", TextError* error) {
  ends_text_error(*error);
  g_end_runtime_error(error);
}

REEX_LIBRARY_FUNCTION(void, end_runtime_error_object, "_ZNSt13runtime_errorD1Ev", TextError* error) {
  ends_text_error(*error);
  g_end_runtime_error(error);
}

REEX_LIBRARY_FUNCTION(void, end_logic_error, "_ZNSt11logic_errorD2Ev", TextError* error) {
  ends_text_error(*error);
  g_end_logic_error(error);
}

REEX_LIBRARY_FUNCTION(void, end_logic_error_object, "_ZNSt11logic_errorD1Ev", TextError* error) {
  ends_text_error(*error);
  g_end_logic_error(error);
}

REEX_LIBRARY_FUNCTION(void, end_locale, "_ZNSt6localeD1Ev", Locale* locale) {
  ends_locale(*locale);
  g_end_locale(locale);
}

REEX_LIBRARY_FUNCTION(void, end_base_locale, "_ZNSt6localeD2Ev", Locale* locale) {
  ends_locale(*locale);
  g_end_locale(locale);
}

REEX_LIBRARY_FUNCTION(Locale&, assign_locale, "_ZNSt6localeaSERKS_", Locale& to, const Locale& from) {
  void* const pc = REEX_CALLER;
  reads_object(&from, pc);
  will_write_buffer(&to, pc);
  writes_object(&to, pc);
  ends_locale(to);
  return g_assign_locale(to, from);
}
