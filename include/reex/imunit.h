// IMUnit for C++: unit tests of multithreaded code that say in which order their events occur. docs/imunit.md
// is the manual.
//
//     REEX_THREAD("adder")
// names the calling thread; its first statement.
//
//     REEX_EVENT(finishedAdd), REEX_EVENT("Cache.evicting")
// is an event of the test, or of the code under test.
//
//     REEX_SCHEDULE("a->b")
// is in force until the end of the scope.
//
//     REEX_EVENT_AT(locking, "before mutex lock in Queue::add")
// is an event at an operation of any code, under reex.
//
//     REEX_CREATES("seller#")
// names the next threads that the calling thread creates: seller1, seller2.
//
//     REEX_INFEASIBLE("a->b")
// is like REEX_SCHEDULE, and nothing shall satisfy it.
//
//     REEX_IMUNIT_TEST(Suite, Name, {"name", "a->b"}, ...) { ... }
// is a test of GoogleTest for each schedule.
//
//     reex::imunit::Schedule schedule("a->b");
// is for tests without GoogleTest.
//
// C++17, no library and no reex needed. From C++20 on, the texts of the macros are checked by the compiler,
// and those of REEX_IMUNIT_TEST before, too. Where GoogleTest's header was included before this one, failures
// are GoogleTest's.
//
// REEX_IMUNIT_OFF compiles events and names away, for product code; such a program has no schedules.
//
// Environment: REEX_IMUNIT=check holds nobody and judges; REEX_IMUNIT_TIMEOUT=SECONDS, after which a held
// thread is stuck (10; 2 for REEX_INFEASIBLE).
//
// Cost: below 1 ns for an event while no schedule is in force.
#pragma once

#ifdef REEX_IMUNIT_OFF

#define REEX_EVENT(name) static_cast<void>(0)
#define REEX_EVENT_AT(name, text) static_cast<void>(0)
#define REEX_THREAD(name) static_cast<void>(0)
#define REEX_CREATES(name) static_cast<void>(0)
#define REEX_SCHEDULE(text) static_assert(false, "REEX_IMUNIT_OFF is defined: there are no schedules")
#define REEX_INFEASIBLE(text) static_assert(false, "REEX_IMUNIT_OFF is defined: there are no schedules")
#define REEX_IMUNIT_TEST(Suite, Name, ...)                                                                   \
  static_assert(false, "REEX_IMUNIT_OFF is defined: there are no schedules");                                \
  [[maybe_unused]] static void reex_off_##Suite##_##Name()

#elif __cplusplus < 201703L

#error "reex/imunit.h needs C++17: compile this file with -std=c++17 or later"

#else

#include "reex/imunit/schedule.h"

#define REEX_IMUNIT_JOIN_(a, b) a##b
#define REEX_IMUNIT_JOIN(a, b) REEX_IMUNIT_JOIN_(a, b)

#define REEX_EVENT(name)                                                                                     \
  do {                                                                                                       \
    static constexpr ::reex::imunit::EventName reex_event_name(#name);                                       \
    static_assert(reex_event_name.is_right(),                                                                \
                  "the name of an event is an identifier but start and end, or several with . or ::");       \
    REEX_IMUNIT_NOTE_NAME(#name);                                                                            \
    ::reex::imunit::event(reex_event_name.text, __FILE__, __LINE__);                                         \
  } while (false)

#define REEX_CREATES(name)                                                                                   \
  do {                                                                                                       \
    static ::reex::imunit::CreationPlace reex_creation_place;                                                \
    ::reex::imunit::creates((name), reex_creation_place);                                                    \
  } while (false)

#define REEX_THREAD(name) ::reex::imunit::name_thread((name), __FILE__, __LINE__)

#ifdef GTEST_TEST
namespace reex {
namespace imunit {
namespace {
[[maybe_unused]] void fail_in_googletest(const char* file, unsigned line, const char* text) {
  ADD_FAILURE_AT(file, static_cast<int>(line)) << text;
}
} // namespace
} // namespace imunit
} // namespace reex
#define REEX_IMUNIT_FAIL ::reex::imunit::fail_in_googletest
#else
#define REEX_IMUNIT_FAIL nullptr
#endif

// A test that needs reex is skipped without it.
#ifdef GTEST_TEST
#define REEX_IMUNIT_SKIP(text) GTEST_SKIP() << (text)
#elif defined TEST_CASE && defined SKIP // Catch2, from version 3.3 on
#define REEX_IMUNIT_SKIP(text) SKIP(text)
#elif defined TEST_CASE // of a framework that can skip nothing
#define REEX_IMUNIT_SKIP(text)                                                                               \
  do {                                                                                                       \
    std::fprintf(stderr, "%s:%d: skipped: %s\n", __FILE__, __LINE__, text);                                  \
    return;                                                                                                  \
  } while (false)
#else
#define REEX_IMUNIT_SKIP(text)                                                                               \
  do {                                                                                                       \
    std::fprintf(stderr, "%s:%d: skipped: %s\n", __FILE__, __LINE__, text);                                  \
    std::exit(77);                                                                                           \
  } while (false)
#endif

#define REEX_EVENT_AT(name, operation)                                                                       \
  do {                                                                                                       \
    static constexpr ::reex::imunit::EventName reex_event_name(#name);                                       \
    static_assert(reex_event_name.is_right(),                                                                \
                  "the name of an event is an identifier but start and end, or several with . or ::");       \
    REEX_IMUNIT_NOTE_NAME(#name);                                                                            \
    if (!::reex::imunit::declare_place(reex_event_name.text, operation))                                     \
      REEX_IMUNIT_SKIP("reex alone knows where an event of REEX_EVENT_AT occurs");                           \
  } while (false)

#if __cplusplus >= 202002L && defined(__clang__)
#define REEX_IMUNIT_CHECK(text) static_assert(::reex::imunit::is_schedule(text), "this is no schedule");
#elif __cplusplus >= 202002L
#define REEX_IMUNIT_CHECK(text)                                                                              \
  static_assert(sizeof(::reex::imunit::CheckedSchedule<::reex::imunit::syntax_of(text)>) != 0);
#else
#define REEX_IMUNIT_CHECK(text)
#endif

#define REEX_SCHEDULE(text)                                                                                  \
  REEX_IMUNIT_CHECK(text)                                                                                    \
  const ::reex::imunit::Schedule REEX_IMUNIT_JOIN(reex_schedule_, __LINE__) =                                \
      ::reex::imunit::Plan(text).fail_with(REEX_IMUNIT_FAIL)

#define REEX_INFEASIBLE(text)                                                                                \
  REEX_IMUNIT_CHECK(text)                                                                                    \
  const ::reex::imunit::Schedule REEX_IMUNIT_JOIN(reex_infeasible_, __LINE__) =                              \
      ::reex::imunit::Plan(text).fail_with(REEX_IMUNIT_FAIL).infeasible()

#define REEX_IMUNIT_TEST(Suite, Name, ...)                                                                   \
  namespace {                                                                                                \
  struct Suite##_##Name##_Schedules {                                                                        \
    static constexpr ::reex::imunit::NamedSchedule list[] = {__VA_ARGS__};                                   \
  };                                                                                                         \
  static_assert(::reex::imunit::are_schedules<Suite##_##Name##_Schedules>(), "this is no schedule");         \
  class Suite##_##Name##_ImUnit : public ::testing::Test {                                                   \
  public:                                                                                                    \
    explicit Suite##_##Name##_ImUnit(const ::reex::imunit::NamedSchedule& schedule)                          \
        : m_schedule(schedule) {}                                                                            \
    void TestBody() override {                                                                               \
      const ::reex::imunit::Schedule schedule =                                                              \
          ::reex::imunit::Plan(m_schedule.text, m_schedule.name, __FILE__, __LINE__)                         \
              .fail_with(REEX_IMUNIT_FAIL);                                                                  \
      run();                                                                                                 \
    }                                                                                                        \
                                                                                                             \
  private:                                                                                                   \
    void run();                                                                                              \
    ::reex::imunit::NamedSchedule m_schedule;                                                                \
  };                                                                                                         \
  [[maybe_unused]] const bool Suite##_##Name##_registered = [] {                                             \
    for (const ::reex::imunit::NamedSchedule& each : Suite##_##Name##_Schedules::list) {                     \
      const std::string name = std::string(#Name "/") + each.name;                                           \
      ::testing::RegisterTest(#Suite, name.c_str(), nullptr, nullptr, __FILE__, __LINE__,                    \
                              [&each]() -> ::testing::Test* { return new Suite##_##Name##_ImUnit(each); });  \
    }                                                                                                        \
    return true;                                                                                             \
  }();                                                                                                       \
  }                                                                                                          \
  void Suite##_##Name##_ImUnit::run()

#endif
