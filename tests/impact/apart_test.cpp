// What a unit costs that libclang cannot take: its own facts, and nothing else.
#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "impact/facts/apart.h"
#include "tests/impact/scratch_project.h"

namespace reex::test {
namespace {

TEST(Apart, GivesWhatTheWorkReturns) {
  const std::string bytes(1 << 20, 'a');
  const impact::ApartResult result = impact::apart([&] { return bytes + '\0' + "b"; });
  EXPECT_EQ(result.problem, "");
  EXPECT_EQ(result.bytes, bytes + '\0' + "b");
}

TEST(Apart, TellsHowTheWorkEndedIfItDidNotReturn) {
  EXPECT_EQ(impact::apart([]() -> std::string {
              raise(SIGSEGV);
              return "a";
            }).problem,
            "signal 11 (Segmentation fault)");
  EXPECT_EQ(impact::apart([]() -> std::string { throw std::runtime_error("a"); }).problem, "exit status 1");
}

TEST(Apart, ChangesNothingHere) {
  int seen = 0;
  impact::apart([&] { return std::to_string(++seen); });
  EXPECT_EQ(seen, 0);
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
