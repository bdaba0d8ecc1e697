// A schedule in force, and what events and names of threads do. Tests use the macros of reex/imunit.h, or
// Schedule itself where there is no GoogleTest.
//
// Where the runtime of reex is preloaded, it defines the functions below, and holds threads by not
// scheduling them. Otherwise they are null, and the native monitor holds them.
//
// Invariants: one schedule at a time is in force in a process. It is in force before the threads are created
// that issue its events.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <pthread.h>
#include <string>
#include <utility>

#include "reex/imunit/created.h"
#include "reex/imunit/monitor.h"
#include "reex/imunit/names.h"
#include "reex/imunit/native.h"
#include "reex/imunit/report.h"

extern "C" {
__attribute__((weak)) void reex_imunit_begin(reex::imunit::Monitor* monitor);
__attribute__((weak)) void reex_imunit_end(reex::imunit::Monitor* monitor);
__attribute__((weak)) void reex_imunit_event(reex::imunit::Monitor* monitor, int kind, const char* name,
                                             const char* thread, const char* file, unsigned line);
__attribute__((weak)) void reex_imunit_place(const char* event, const char* text);
}

// The runtime takes its caller for the place of an event: that shall be the test's own function.
#define REEX_IMUNIT_INLINE __attribute__((always_inline)) inline

namespace reex {
namespace imunit REEX_IMUNIT_SHARED {

inline constexpr unsigned k_max_thread_name = 64;

inline thread_local char g_thread_name[k_max_thread_name] = "";
inline const pthread_t g_main_thread = pthread_self();

inline bool under_reex() { return reex_imunit_begin != nullptr; }

// Null: it has no name.
inline const char* thread_name() {
  if (g_thread_name[0] != 0) return g_thread_name;
  if (pthread_equal(pthread_self(), g_main_thread) != 0) return "main";
  return take_created_name(g_thread_name, sizeof g_thread_name) ? g_thread_name : nullptr;
}

__attribute__((noinline)) inline void native_event(EventKind kind, const char* name, const char* file,
                                                   unsigned line) {
  NativeMonitor::instance().event(kind, name, thread_name(), {file, line});
}

REEX_IMUNIT_INLINE void issue(Monitor* monitor, EventKind kind, const char* name, const char* file,
                              unsigned line) {
  if (under_reex())
    reex_imunit_event(monitor, static_cast<int>(kind), name, thread_name(), file, line);
  else
    native_event(kind, name, file, line);
}

// What is wrong with the use of a name in a program; null: nothing.
constexpr const char* fault_of_event_name(const char* text) {
  ParsedSchedule alone;
  char ordering[k_max_text] = {};
  const unsigned length = length_of(text);
  if (length == 0 || length > 200) return "the name of an event has 1 to 200 characters";
  for (unsigned i = 0; i < length; ++i) {
    if (text[i] == '#' || text[i] == '@' || text[i] == ',' || text[i] == '[' || text[i] == '-')
      return "the name of an event consists of letters, digits, _ . and ::";
    ordering[i] = text[i];
  }
  const char behind[] = "->reex_other";
  for (unsigned i = 0; i < sizeof behind; ++i) ordering[length + i] = behind[i];
  Parser(alone).read(ordering, length + sizeof behind - 1);
  return alone.error.message;
}

// REEX_EVENT(name) and REEX_EVENT("name"): both come as the text of the argument.
struct EventName {
  char text[256] = {};

  constexpr explicit EventName(const char* argument) {
    const unsigned length = length_of(argument);
    const bool quoted = length >= 2 && argument[0] == '"';
    for (unsigned i = quoted ? 1 : 0; i + (quoted ? 1u : 0u) < length && i < sizeof text - 1; ++i)
      text[i - (quoted ? 1 : 0)] = argument[i];
  }
  constexpr bool is_right() const { return fault_of_event_name(text) == nullptr; }
};

REEX_IMUNIT_INLINE void event(const char* name, const char* file, unsigned line) {
  if (Monitor* const monitor = monitor_in_force(); __builtin_expect(monitor != nullptr, 0))
    issue(monitor, EventKind::event, name, file, line);
}

// The end of a named thread: behind the destructors of its thread_local variables.
class ThreadEnd {
public:
  ThreadEnd() { pthread_key_create(&m_key, at_end); }
  void expect() const { pthread_setspecific(m_key, this); }

private:
  static void at_end(void*) {
    if (Monitor* const monitor = monitor_in_force(); monitor != nullptr)
      issue(monitor, EventKind::end, nullptr, nullptr, 0);
    if (!under_reex()) NativeMonitor::instance().unname();
  }

  pthread_key_t m_key{};
};
inline const ThreadEnd g_thread_end;

// For REEX_EVENT_AT. False: nobody knows where the operations of the program are.
inline bool declare_place(const char* event, const char* text) {
  if (reex_imunit_place == nullptr) return false;
  reex_imunit_place(event, text);
  return true;
}

// For REEX_CREATES.
inline void creates(const char* name, CreationPlace& place) {
  if (monitor_in_force() == nullptr) return;
  thread_name(); // the caller keeps its own
  name_created(name, place);
}

// Names the calling thread, and so lets start@name occur.
REEX_IMUNIT_INLINE void name_thread(const char* name, const char* file, unsigned line) {
  if (g_thread_name[0] != 0) {
    if (std::strncmp(g_thread_name, name, k_max_thread_name - 1) != 0 && !under_reex())
      NativeMonitor::instance().misuse(std::string("one thread is called ") + g_thread_name + " and " + name +
                                       " (" + place_text({file, line}) + ")");
    return;
  }
  std::snprintf(g_thread_name, k_max_thread_name, "%s", name);
  char short_name[16]; // all that a thread of POSIX can have
  std::snprintf(short_name, sizeof short_name, "%.15s", name);
  if (under_reex()) {
    reex_imunit_thread(short_name);
  } else {
    pthread_setname_np(pthread_self(), short_name);
    NativeMonitor::instance().name(g_thread_name, {file, line});
  }
  if (pthread_equal(pthread_self(), g_main_thread) == 0) g_thread_end.expect();
  if (Monitor* const monitor = monitor_in_force(); monitor != nullptr)
    issue(monitor, EventKind::start, nullptr, file, line);
}

// Tells a failure: where the schedule is, and what is wrong, with one line for each fact.
using Fail = void (*)(const char* file, unsigned line, const char* text);

inline Mode mode_of_environment() {
  const char* const text = std::getenv("REEX_IMUNIT");
  return text != nullptr && std::strcmp(text, "check") == 0 ? Mode::check : Mode::enforce;
}

// A schedule and what is expected of it.
class Plan {
public:
  Plan(const char* text, const char* name = "", const char* file = __builtin_FILE(),
       unsigned line = __builtin_LINE())
      : m_text(text), m_name(name), m_place{file, line} {}

  // An event may be missing.
  Plan vacuous_ok(bool is_ok = true) && {
    m_vacuous_ok = is_ok;
    return *this;
  }
  // Nothing shall satisfy the schedule.
  Plan infeasible(bool is = true) && {
    m_infeasible = is;
    m_feasible = !is;
    return *this;
  }
  // It does not matter whether anything satisfies the schedule; what does shall pass.
  Plan infeasible_ok() && {
    m_infeasible = m_feasible = true;
    return *this;
  }
  // Nobody is held (Mode::check), whatever REEX_IMUNIT says.
  Plan check() && {
    m_mode = Mode::check;
    return *this;
  }
  Plan fail_with(Fail fail) && {
    m_fail = fail;
    return *this;
  }

private:
  friend class Schedule;
  const char* m_text;
  const char* m_name;
  Place m_place;
  Mode m_mode = mode_of_environment();
  bool m_vacuous_ok = false;
  bool m_infeasible = false;
  bool m_feasible = true;
  Fail m_fail = nullptr;
};

// In force from here to the end of the scope, or until finish(). If it was not satisfied, the test fails: by
// Plan::fail_with; otherwise, unless the test has asked ok() or report(), by a text on the standard error and
// exit status 1.
class Schedule {
public:
  Schedule(const Plan& plan) : m_plan(plan), m_exceptions(std::uncaught_exceptions()) {
    m_monitor.mode = plan.m_mode;
    m_monitor.infeasible = plan.m_infeasible;
    m_monitor.feasible = plan.m_feasible;
    m_monitor.name = plan.m_name;
    m_monitor.place = plan.m_place;
    Parser(m_monitor.schedule).read(plan.m_text, length_of(plan.m_text));
    begin();
  }
  Schedule(const char* text, const char* name = "", const char* file = __builtin_FILE(),
           unsigned line = __builtin_LINE())
      : Schedule(Plan(text, name, file, line)) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() {
    finish();
    if (!m_report.empty() && !m_asked && std::uncaught_exceptions() == m_exceptions) tell();
  }

  // These end the schedule.
  bool ok() {
    finish();
    m_asked = true;
    return m_report.empty();
  }
  // What is wrong; empty: nothing.
  const std::string& report() {
    finish();
    m_asked = true;
    return m_report;
  }
  void finish() {
    if (!m_in_force) return;
    m_in_force = false;
    std::string stuck;
    std::string misuse;
    if (under_reex())
      reex_imunit_end(&m_monitor);
    else
      NativeMonitor::instance().end(stuck, misuse);
    set_monitor(nullptr);
    m_report = misuse;
    if (!stuck.empty() && !m_monitor.infeasible) add_line(m_report, "stuck: " + stuck);
    if (!stuck.empty() && m_monitor.infeasible && !m_plan.m_vacuous_ok)
      if (const std::string text = unknown_text(m_monitor.schedule, m_monitor.unknown); !text.empty())
        add_line(m_report, text);
    if (stuck.empty())
      if (const std::string text = end_text(m_monitor, m_plan.m_vacuous_ok); !text.empty())
        add_line(m_report, text);
  }
  const char* name() const { return m_monitor.name; }

private:
  void begin() {
    m_monitor.unknown = m_plan.m_vacuous_ok ? 0 : unknown_events(m_monitor.schedule);
    const SyntaxError& error = m_monitor.schedule.error;
    Place other;
    if (!m_monitor.schedule.ok()) {
      m_report = "column " + std::to_string(error.column) + " of the schedule: " + error.message;
    } else if (Monitor* const before = monitor_in_force(); before != nullptr) {
      m_report = "another schedule is in force, from " + place_text(before->place) + " on: end it first";
    } else if (under_reex()) {
      reex_imunit_begin(&m_monitor);
      m_in_force = true;
    } else if (NativeMonitor::instance().begin(m_monitor, &other)) {
      static const int at_exit = std::atexit(at_end_of_process);
      static_cast<void>(at_exit);
      m_in_force = true;
    } else {
      m_report = "another schedule is in force, from " + place_text(other) + " on: end it first";
    }
    if (m_in_force) {
      ++g_schedules;
      set_monitor(&m_monitor);
    }
  }

  void tell() const {
    std::string text = "the schedule ";
    if (m_monitor.name[0] != 0) text += std::string("\"") + m_monitor.name + "\" ";
    text += "\"" + std::string(m_plan.m_text) + "\":\n" + m_report;
    if (m_plan.m_fail != nullptr)
      return m_plan.m_fail(m_plan.m_place.file, m_plan.m_place.line, text.c_str());
    std::fprintf(stderr, "%s:%u: %s\n", m_plan.m_place.file, m_plan.m_place.line, text.c_str());
    std::exit(1);
  }

  // A test that ends its process within the schedule has not been judged.
  static void at_end_of_process() {
    const std::string text = NativeMonitor::instance().unfinished();
    if (text.empty()) return;
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(nullptr);
    std::_Exit(1);
  }

  Plan m_plan;
  Monitor m_monitor;
  std::string m_report;
  int m_exceptions;
  bool m_in_force = false;
  bool m_asked = false;
};

// The name of the schedule in force; "" if there is none, or if it has no name.
inline const char* current_schedule() {
  const Monitor* const monitor = monitor_in_force();
  return monitor == nullptr ? "" : monitor->name;
}

// For REEX_IMUNIT_TEST.
struct NamedSchedule {
  const char* name;
  const char* text;
};

// What compilers show of a wrong schedule. clang++ prints the arguments of the call that is not constant:
inline void not_constant() {}
constexpr bool this_schedule_is_wrong(const char* message, unsigned column) {
  if (column != 0) not_constant();
  return message == nullptr;
}
constexpr bool is_schedule(const char* text) {
  const ParsedSchedule parsed = parse(text);
  return parsed.ok() || this_schedule_is_wrong(parsed.error.message, parsed.error.column);
}

// and g++, from C++20 on, the arguments of a type.
struct Syntax {
  char message[128] = {};
  unsigned column = 0; // 0: the text is right
};
constexpr Syntax syntax_of(const char* text) {
  const ParsedSchedule parsed = parse(text);
  Syntax syntax;
  if (parsed.ok()) return syntax;
  for (unsigned i = 0; parsed.error.message[i] != 0 && i + 1 < sizeof syntax.message; ++i)
    syntax.message[i] = parsed.error.message[i];
  syntax.column = parsed.error.column;
  return syntax;
}
#if __cplusplus >= 202002L && !defined(__clang__)
template <Syntax syntax>
struct CheckedSchedule {
  static_assert(syntax.column == 0, "this is no schedule");
};
template <typename Schedules, std::size_t... i>
constexpr bool are_schedules(std::index_sequence<i...>) {
  return (sizeof(CheckedSchedule<syntax_of(Schedules::list[i].text)>) + ...) != 0;
}
template <typename Schedules>
constexpr bool are_schedules() {
  return are_schedules<Schedules>(std::make_index_sequence<std::size(Schedules::list)>());
}
#else
template <typename Schedules>
constexpr bool are_schedules() {
  for (const NamedSchedule& each : Schedules::list)
    if (!is_schedule(each.text)) return false;
  return true;
}
#endif

} // namespace REEX_IMUNIT_SHARED
} // namespace reex
