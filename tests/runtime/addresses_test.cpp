// Addresses that come again: a choice of the search, with --reuse or in a round that needs it.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

const std::string k_addresses = REEX_PROGRAMS "/addresses";

Words with(Words options, bool reuse) {
  if (reuse) options.push_back("--reuse");
  return options;
}

bool has_gap(const Ran& ran) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == "addresses") return true;
  return false;
}

TEST(Addresses, ComeAgainWhereAnExchangeExpectsThem) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* jobs : {"1", "2"})
      for (const char* strategy : {"icb", "auto", "random"}) {
        const Folder folder;
        const Ran ran = explore(folder,
                                {"--isolation", isolation, "--jobs", jobs, "--strategy", strategy,
                                 "--schedules", "2000", "--seed", "1"},
                                {k_addresses, "exchanged"});
        EXPECT_EQ(ran.status, 1) << describe(ran);
        ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
        EXPECT_EQ(ran.report["failures"][0]["kind"], "assertion") << describe(ran);
        EXPECT_NE(ran.output.find("malloc gives it again what it has freed"), std::string::npos)
            << describe(ran);
        const Ran again = command(folder, {"replay", ran.report["failures"][0]["replay"]});
        EXPECT_EQ(again.status, 1) << describe(again);
      }
}

// Another thread may get it, too; but malloc is no scheduling point.
TEST(Addresses, ComeAgainToAnotherThread) {
  for (const char* isolation : {"restore", "fork"})
    for (const char* strategy : {"icb", "auto"}) {
      const Folder folder;
      const Ran ran = explore(folder, {"--isolation", isolation, "--strategy", strategy},
                              {k_addresses, "exchanged_by_another"});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "assertion") << describe(ran);
      EXPECT_NE(ran.output.find("malloc gives others again what it has freed"), std::string::npos)
          << describe(ran);
      EXPECT_TRUE(has_gap(ran)) << describe(ran);
      const Ran again = command(folder, {"replay", ran.report["failures"][0]["replay"]});
      EXPECT_EQ(again.status, 1) << describe(again);
    }
}

// Nothing else is told of it: no failure of a test that counts generations, and no finding.
TEST(Addresses, OfDifferentGenerations) {
  for (const bool reuse : {false, true}) {
    const Folder folder;
    const Ran ran = explore(folder, with({"--strategy", "icb", "--bound", "none"}, reuse),
                            {k_addresses, "exchanged_with_generation"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["exhausted"], true) << describe(ran);
    EXPECT_TRUE(ran.report["findings"].empty()) << describe(ran);
    EXPECT_FALSE(has_gap(ran)) << describe(ran);
  }
}

TEST(Addresses, AreToldWhereThereAreNoRounds) {
  for (const char* accesses : {"all", "sync"}) {
    const Folder folder;
    const Ran ran =
        explore(folder, {"--strategy", "icb", "--accesses", accesses}, {k_addresses, "exchanged"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_NE(ran.report["exhausted"], true) << describe(ran);
    EXPECT_TRUE(has_gap(ran)) << describe(ran);
    const Ran reused =
        explore(folder, {"--strategy", "icb", "--accesses", accesses, "--reuse"}, {k_addresses, "exchanged"});
    EXPECT_EQ(reused.status, 1) << describe(reused);
  }
}

TEST(Addresses, AreEqualOnlyIfTheyComeAgain) {
  for (const char* reduction : {"none", "auto"}) {
    const Folder folder;
    const auto printed = [&](bool reuse) {
      const Ran ran = explore(
          folder,
          with({"--strategy", "icb", "--bound", "none", "--reduction", reduction, "--outcomes"}, reuse),
          {k_addresses, "each_of_three"});
      EXPECT_EQ(ran.status, 0) << describe(ran);
      EXPECT_EQ(ran.report["exhausted"], true) << describe(ran);
      std::vector<std::string> texts;
      for (const auto& [text, how] : outcomes_of(ran.report)) texts.push_back(text);
      return texts;
    };
    EXPECT_EQ(printed(false), std::vector<std::string>{"0"});
    EXPECT_EQ(printed(true), (std::vector<std::string>{"0", "1", "2", "3"}));
  }
}

// New memory, its own, or the other's; with reduction and without.
TEST(Addresses, AreOfAnyThread) {
  std::vector<std::map<std::string, unsigned>> printed;
  for (const char* reduction : {"none", "auto"}) {
    const Folder folder;
    const Ran ran = explore(
        folder, {"--strategy", "icb", "--bound", "none", "--reduction", reduction, "--outcomes", "--reuse"},
        {k_addresses, "each_frees_and_takes"});
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(ran.report["exhausted"], true) << describe(ran);
    printed.push_back(fewest_preemptions_of(ran.report));
  }
  EXPECT_EQ(printed[0], printed[1]);
  for (const char* text : {"0", "1", "10", "11", "2", "20"}) EXPECT_EQ(printed[0].count(text), 1U) << text;
}

// A use of freed memory is found as before.
TEST(Addresses, AreNoExcuseForUsesAfterFree) {
  for (const bool reuse : {false, true})
    for (const char* isolation : {"restore", "fork"}) {
      const Folder folder;
      const Ran ran =
          explore(folder, with({"--strategy", "icb", "--isolation", isolation, "--races", "report"}, reuse),
                  {k_addresses, "read_after_free"});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
      EXPECT_EQ(ran.report["failures"][0]["kind"], "use-after-free") << describe(ran);
    }
}

} // namespace
} // namespace reex::runtime_test
