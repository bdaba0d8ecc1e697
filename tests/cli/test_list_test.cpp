#include "reex/process/test_list.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "reex/process/captured_process.h"
#include "reex/process/environment.h"

namespace reex {
namespace {

std::vector<std::string> names(const std::vector<TestCase>& tests) {
  std::vector<std::string> all;
  for (const TestCase& test : tests) all.push_back(test.name);
  return all;
}

std::vector<TestCase> googletest_list(std::string_view text) {
  return row_of(Framework::googletest)->parse({text, "", 0}).value();
}

std::vector<TestCase> list_named_tests() {
  return list_tests({.binary = REEX_NAMED_TESTS, .framework = Framework::googletest, .preload = ""}).value();
}

TEST(ParseGtestList, UnderstandsSuitesCasesAndComments) {
  const auto tests = googletest_list("Running main() from gtest_main.cc\n"
                                     "Plain.\n"
                                     "  One\n"
                                     "  DISABLED_Two\n"
                                     "Typed/0.  # TypeParam = std::vector<int>\n"
                                     "  Holds\n"
                                     "Few/Numbered.\n"
                                     "  Counts/0  # GetParam() = \"a  # b\"\n"
                                     "  Counts/1  # GetParam() = 4\r\n"
                                     "Few/DISABLED_Numbered.\n"
                                     "  Counts/0  # GetParam() = 4\n");
  ASSERT_EQ(names(tests), (std::vector<std::string>{"Plain.One", "Plain.DISABLED_Two", "Typed/0.Holds",
                                                    "Few/Numbered.Counts/0", "Few/Numbered.Counts/1",
                                                    "Few/DISABLED_Numbered.Counts/0"}));
  EXPECT_EQ(tests[2].parameter, "TypeParam = std::vector<int>");
  EXPECT_EQ(tests[3].parameter, "GetParam() = \"a  # b\"");
  EXPECT_EQ(tests[4].parameter, "GetParam() = 4");
  EXPECT_TRUE(tests[1].disabled);
  EXPECT_FALSE(tests[4].disabled);
  EXPECT_TRUE(tests[5].disabled);
}

TEST(ParseGtestList, LeavesNoiseOut) {
  EXPECT_TRUE(googletest_list("").empty());
  EXPECT_TRUE(googletest_list("  Orphan\n").empty());
  EXPECT_EQ(names(googletest_list("usage: x [-v].\nA.\nlog: opened\n  One\n    deeper\n  \n")),
            std::vector<std::string>{"A.One"});
}

TEST(SelectTests, SkipsDisabledOnes) {
  const std::vector<TestCase> tests = {
      {"A.One", "", false}, {"A.Two", "", false}, {"A.DISABLED_Three", "", true}};
  EXPECT_EQ(names(select_tests(tests, "")), (std::vector<std::string>{"A.One", "A.Two"}));
  EXPECT_EQ(names(select_tests(tests, "A.T*")), std::vector<std::string>{"A.Two"});
  EXPECT_TRUE(select_tests(tests, "A.DISABLED_Three").empty());
}

TEST(ListGtestTests, AsksTheBinary) {
  const auto tests = list_named_tests();
  EXPECT_EQ(
      names(select_tests(tests, "")),
      (std::vector<std::string>{"Plain.One", "Plain.Two_WithWords", "Typed/0.Holds", "Typed/1.Holds",
                                "Few/Numbered.Counts/0", "Few/Numbered.Counts/1", "One/Awkward.Prints/0"}));
  EXPECT_EQ(tests.size(), 9U);
}

TEST(ListGtestTests, IsNotMisledByTheEnvironment) {
  setenv("GTEST_FILTER", "Nothing.*", 1);
  const auto tests = list_named_tests();
  unsetenv("GTEST_FILTER");
  EXPECT_EQ(tests.size(), 9U);
}

TEST(ListGtestTests, SaysInOneLineWhyItCannot) {
  const auto why = [](const std::string& binary, std::chrono::milliseconds limit) -> std::string {
    try {
      list_tests({.binary = binary, .framework = Framework::googletest, .preload = "", .limit = limit});
    } catch (const TestListError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(why("/nonexistent/test", std::chrono::seconds(5)).find("No such file"), std::string::npos);
  EXPECT_NE(why("/bin/false", std::chrono::seconds(5)).find("exit status 1"), std::string::npos);
  EXPECT_EQ(why("/bin/ls", std::chrono::seconds(5)).find('\n'), std::string::npos);
}

TEST(RunCaptured, EndsAtTheLimitWithAllItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const CapturedProcess process = run_captured({"/bin/sh", "-c", "echo before; sleep 60 & wait"},
                                               clean_environment(), std::chrono::milliseconds(200));
  EXPECT_EQ(process.end, CapturedProcess::End::timed_out);
  EXPECT_EQ(process.stdout_text, "before\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(RunCaptured, TellsHowTheChildEnded) {
  const auto run = [](const char* script) {
    return run_captured({"/bin/sh", "-c", script}, {}, std::chrono::seconds(10));
  };
  EXPECT_EQ(run("exit 3").code, 3);
  EXPECT_EQ(run("kill -9 $$").end, CapturedProcess::End::signalled);
  EXPECT_EQ(run("read line || echo nothing; echo problem >&2").stdout_text, "nothing\n");
  EXPECT_EQ(run("echo problem >&2").stderr_text, "problem\n");
}

} // namespace
} // namespace reex
