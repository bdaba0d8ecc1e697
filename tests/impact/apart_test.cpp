// What a unit costs that libclang cannot take: its own facts, and nothing else.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <unistd.h>

#include "reex/process/forked_work.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

TEST(Apart, GivesWhatTheWorkReturns) {
  const std::string bytes(1 << 20, 'a');
  const ForkedWork::Result result = ForkedWork([&] { return bytes + '\0' + "b"; }).result();
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.bytes, bytes + '\0' + "b");
}

TEST(Apart, TellsHowTheWorkEndedIfItDidNotReturn) {
  ForkedWork crashing([]() -> std::string {
    raise(SIGSEGV);
    return "a";
  });
  EXPECT_EQ(crashing.result().problem, "signal 11 (Segmentation fault)");
  ForkedWork throwing([]() -> std::string { throw std::runtime_error("a"); });
  EXPECT_EQ(throwing.result().problem, "exit status 1");
}

TEST(Apart, ChangesNothingHere) {
  int seen = 0;
  EXPECT_EQ(ForkedWork([&] { return std::to_string(++seen); }).result().bytes, "1");
  EXPECT_EQ(seen, 0);
}

TEST(Apart, IsNotWaitedFor) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ForkedWork work([&] {
    char go = 0;
    return std::to_string(read(ends[0], &go, 1));
  });
  EXPECT_FALSE(work.wait_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(20)));
  ASSERT_EQ(write(ends[1], "g", 1), 1);
  EXPECT_EQ(work.result().bytes, "1");
  EXPECT_TRUE(work.is_done());
  close(ends[0]);
  close(ends[1]);
}

// Libclang 14 ends with a signal where it spells a type with "text"_n in it.
const char* const k_literal = R"(template <unsigned long N> struct Name {
  char text[N];
  constexpr Name(const char (&from)[N]) : text{} {
    for (unsigned long i = 0; i < N; ++i) text[i] = from[i];
  }
};
template <Name N> constexpr int operator""_n() { return sizeof(N.text); }
template <class T, int N> struct Error {};
)";

TEST(Apart, ChangedLinesOfAUnitThatLibclangCannotTakeAreKnown) {
  const std::string before = std::string(k_literal) + "template <class T> Error<T, \"text\"_n> make();\n"
                                                      "int value = 0;\n"
                                                      "int main() { return value; }\n";
  const std::string after = replaced(before, "return value", "return ++value");
  ScratchProject project;
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_line(impact, "a.cpp", line_of(after, "return ++value"))) << listing(impact);
}

TEST(Apart, AnAliasThatNamesSuchALiteralIsNoProblem) {
  const std::string before = std::string(k_literal) +
                             "template <class T> struct With { using Alias = Error<T, \"text\"_n>; };\n"
                             "int value = 0;\n"
                             "int main() { return value; }\n";
  const std::string after = replaced(before, "return value", "return ++value");
  ScratchProject project;
  const Impact impact = project.impact({{"a.cpp", before}}, {{"a.cpp", after}});
  EXPECT_TRUE(has_method(impact, "", "main")) << listing(impact);
  EXPECT_TRUE(impact.notes.empty()) << listing(impact);
}

} // namespace
} // namespace reex::test
