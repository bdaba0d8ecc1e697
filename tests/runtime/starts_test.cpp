// A test "does not start" (status 4) only if it does not work by itself either.
#include <regex>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_starts = REEX_PROGRAMS "/starts";

std::string words_of(const Ran& ran) { // without line breaks
  return std::regex_replace(ran.output, std::regex("\\s+"), " ");
}

TEST(Starts, NotIfItFailsByItself) {
  for (const auto& [scenario, words] : {std::pair("fails", "by itself it ends with exit status 3"),
                                        {"aborts", "by itself it is ended by signal 6"},
                                        {"needs_variable", "by itself it ends with exit status 3"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_starts, scenario});
    EXPECT_EQ(ran.status, 4) << describe(ran);
    EXPECT_EQ(ran.report["ended"], "not_started") << describe(ran);
    EXPECT_NE(words_of(ran).find(words), std::string::npos) << describe(ran);
    EXPECT_NE(words_of(ran).find("the test does not start"), std::string::npos) << describe(ran);
  }
}

TEST(Starts, ByItselfIsAnotherMatter) {
  for (const auto& [scenario, words] :
       {std::pair("fails_controlled", "the test ended with exit status 3 before it created a thread"),
        {"aborts_controlled", "the test was ended by signal 6 before it created a thread"}}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_starts, scenario});
    EXPECT_EQ(ran.status, 5) << describe(ran);
    EXPECT_EQ(ran.report["ended"], "refused") << describe(ran);
    EXPECT_NE(words_of(ran).find(words), std::string::npos) << describe(ran);
    EXPECT_NE(words_of(ran).find("by itself it ends with 0"), std::string::npos) << describe(ran);
    EXPECT_EQ(words_of(ran).find("does not start"), std::string::npos) << describe(ran);
  }
}

TEST(Starts, TheRuntimeSaysWhyItDoesNot) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_starts, "refuses_controlled"});
  EXPECT_EQ(ran.status, 70) << describe(ran);
  EXPECT_NE(words_of(ran).find("libreex_rt.so: some reason"), std::string::npos) << describe(ran);
}

// The run by itself has the same environment.
TEST(Starts, WithTheEnvironmentOfTheRun) {
  const Folder folder;
  const Ran ran = explore(folder, {}, {k_starts, "needs_variable"}, {{"STARTS_VARIABLE", "1"}});
  EXPECT_EQ(ran.status, 0) << describe(ran);
}

TEST(Starts, TooLate) {
  const Folder folder;
  const Ran ran = explore(folder, {"--budget", "1s"}, {k_starts, "waits_for_ever"});
  EXPECT_EQ(ran.status, 3) << describe(ran);
  EXPECT_EQ(ran.report["gaps"][0]["kind"], "no-thread") << describe(ran);
  EXPECT_NE(words_of(ran).find("the test had not created its first thread"), std::string::npos)
      << describe(ran);
}

TEST(Starts, OnlyProcessesAreNoThreads) {
  for (const char* scenario : {"forks", "forks_and_fails_controlled"}) {
    const Folder folder;
    const Ran ran = explore(folder, {}, {k_starts, scenario});
    EXPECT_EQ(ran.status, 5) << describe(ran);
    EXPECT_EQ(ran.report["error_kind"], "no_threads") << describe(ran);
    EXPECT_EQ(words_of(ran).find("does not start"), std::string::npos) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
