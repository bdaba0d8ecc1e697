// The names of all events that the code of this process can issue. REEX_EVENT leaves its name in a section of
// the object file, which costs nothing while the program runs. So a schedule knows an event that is
// misspelled from one that merely did not occur.
//
// Callers: Schedule, as it begins and ends. A shared library that is loaded while a schedule is in force adds
// its names.
//
// Invariant: code that the compiler removes because nothing reaches it has no names.
#pragma once

#include "reex/imunit/monitor.h"

// Instrumentation does not see these functions: what they look at is no communication of the test.
#define REEX_IMUNIT_UNSEEN __attribute__((no_sanitize("thread")))

// Of the module: an executable or a shared library. Null: it has no event.
extern "C" {
extern const char __start_reex_event_names[] __attribute__((weak, visibility("hidden")));
extern const char __stop_reex_event_names[] __attribute__((weak, visibility("hidden")));
}

#define REEX_IMUNIT_TEXT(text) #text
// The linker shall keep them also where it drops sections that nothing refers to.
#if defined __has_attribute
#if __has_attribute(retain)
#define REEX_IMUNIT_NAME_FLAGS "aR"
#endif
#endif
#ifndef REEX_IMUNIT_NAME_FLAGS
#define REEX_IMUNIT_NAME_FLAGS "a"
#endif
// `text` is a string literal; the assembler gets it as it is written here, with its quotes. A variable with
// an attribute would not do: in templates and inline functions its section would be another one.
#define REEX_IMUNIT_NOTE_NAME(text)                                                                          \
  __asm__(".pushsection reex_event_names,\"" REEX_IMUNIT_NAME_FLAGS                                          \
          "\"\n\t.asciz " REEX_IMUNIT_TEXT(text) "\n\t.popsection")

namespace reex {
namespace imunit REEX_IMUNIT_SHARED {

inline Monitor* g_monitor = nullptr; // of the schedule in force

// Null where none is in force.
REEX_IMUNIT_UNSEEN inline Monitor* monitor_in_force() {
  return __atomic_load_n(&g_monitor, __ATOMIC_RELAXED);
}
REEX_IMUNIT_UNSEEN inline void set_monitor(Monitor* monitor) {
  __atomic_store_n(&g_monitor, monitor, __ATOMIC_RELEASE);
}

struct NamesOfModule;
inline NamesOfModule* g_names = nullptr; // of all modules
inline std::uint64_t unknown_events(const ParsedSchedule& schedule);

// Before main, or while a library is loaded, and while it is unloaded.
struct NamesOfModule {
  const char* begin = __start_reex_event_names;
  const char* end = __stop_reex_event_names;
  NamesOfModule* next = g_names;

  NamesOfModule() {
    g_names = this;
    if (Monitor* const monitor = monitor_in_force(); monitor != nullptr)
      monitor->unknown = unknown_events(monitor->schedule);
  }
  ~NamesOfModule() {
    for (NamesOfModule** at = &g_names; *at != nullptr; at = &(*at)->next)
      if (*at == this) {
        *at = next;
        return;
      }
  }
  NamesOfModule(const NamesOfModule&) = delete;
  NamesOfModule& operator=(const NamesOfModule&) = delete;

  bool has(const char* name, unsigned length) const {
    for (const char* at = begin; at != end;) {
      unsigned size = length_of(at);
      const char* text = at;
      at += size + 1;
      if (size >= 2 && *text == '"') { // REEX_EVENT("Cache.evicting")
        ++text;
        size -= 2;
      }
      if (same_name(name, length, text, size)) return true;
    }
    return false;
  }
};
// Each module has its own, also where it shares the rest of this header with others.
__attribute__((visibility("hidden"))) inline const NamesOfModule g_names_of_module;

// The events of the schedule that no code can issue.
inline std::uint64_t unknown_events(const ParsedSchedule& schedule) {
  std::uint64_t unknown = 0;
  for (unsigned i = 0; i < schedule.events; ++i) {
    const Event& event = schedule.event[i];
    bool known = event.kind != EventKind::event;
    for (const NamesOfModule* module = g_names; module != nullptr && !known; module = module->next)
      known = module->has(schedule.text + event.name.begin, event.name.length);
    if (!known) unknown |= event_bit(i);
  }
  return unknown;
}

} // namespace REEX_IMUNIT_SHARED
} // namespace reex
