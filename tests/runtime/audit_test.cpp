// What the observer does not see: the audit finds it, and the reduction goes.
#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

using namespace reex::tool;

constexpr const char* k_unseen = REEX_PROGRAMS "/unseen";

Ran run(const Words& more, const char* how, const char* what) {
  const Folder folder;
  Words options{"-k", "0", "--outcomes", "--bound", "2"};
  options.insert(options.end(), more.begin(), more.end());
  return explore(folder, options, {k_unseen, how, what});
}

std::map<std::string, unsigned> reached(const Ran& ran) {
  std::map<std::string, unsigned> fewest;
  for (const auto& [text, seen] : outcomes_of(ran.report)) fewest[text] = seen.preemptions;
  return fewest;
}

std::uint64_t counted(const Ran& ran) {
  std::uint64_t sum = 0;
  for (const auto& [text, seen] : outcomes_of(ran.report)) sum += seen.count;
  return sum;
}

bool names_reduction(const Ran& ran) {
  for (const auto& gap : ran.report["gaps"])
    if (gap["kind"] == "reduction") return true;
  return false;
}

TEST(Audit, FindsWhatIsNotSeen) {
  const char* const how = "bytes";
  const char* const what = "last";
  const Ran all = run({"--reduction", "none"}, how, what);
  ASSERT_EQ(reached(all).size(), 2U) << describe(all);
  EXPECT_EQ(all.report["audited"], 0) << describe(all);
  const Ran alone = run({"--audit", "0"}, how, what);
  EXPECT_EQ(reached(alone).size(), 1U) << describe(alone);
  for (const Words& options :
       {Words{}, Words{"-j", "2"}, Words{"-j", "3", "--strategy", "dfs"}, Words{"--strategy", "dfs"},
        Words{"--seed", "5"}, Words{"--isolation", "fork", "--reduction", "hb"}}) {
    const Ran ran = run(options, how, what);
    EXPECT_EQ(ran.status, 0) << describe(ran);
    EXPECT_EQ(reached(ran), reached(all)) << describe(ran);
    EXPECT_EQ(ran.report["bound_completed"], 2) << describe(ran);
    EXPECT_GT(ran.report["audited"], 0) << describe(ran);
    EXPECT_TRUE(names_reduction(ran)) << describe(ran);
    EXPECT_TRUE(ran.report["refuted"].is_object()) << describe(ran);
    EXPECT_EQ(ran.report["schedules"], counted(ran)) << describe(ran);
  }
}

TEST(Audit, NamesWhereTheyParted) {
  const Ran ran = run({}, "bytes", "last");
  ASSERT_TRUE(ran.report["refuted"].is_object()) << describe(ran);
  EXPECT_EQ(ran.report["refuted"]["operation"], "atomic store") << describe(ran);
  const std::string location = ran.report["refuted"]["location"].dump();
  EXPECT_NE(location.find("unseen.cpp"), std::string::npos) << describe(ran);
  EXPECT_NE(ran.output.find("unseen.cpp"), std::string::npos) << describe(ran);
}

TEST(Audit, AFailureThatItFindsIsReportedAsAnyOther) {
  const char* const what = "last_fails";
  for (const Words& options : {Words{}, Words{"-j", "2"}, Words{"-j", "2", "-k", "2"}}) {
    const Folder folder;
    const Ran ran = explore(folder, options, {k_unseen, "bytes", what});
    EXPECT_EQ(ran.status, 1) << describe(ran);
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    EXPECT_GE(ran.report["failures"][0]["count"], 1) << describe(ran);
    EXPECT_TRUE(names_reduction(ran)) << describe(ran);
    const std::string file = ran.report["failures"][0]["replay"];
    EXPECT_EQ(command(folder, {"replay", file}).status, 1) << describe(ran);
  }
}

TEST(Audit, RefutesNothingWhereAllIsSeen) {
  for (const char* what : {"last", "between"}) {
    const Ran all = run({"--reduction", "none"}, "mutex", what);
    const Ran without = run({"--audit", "0"}, "mutex", what);
    EXPECT_EQ(without.report["audited"], 0) << describe(without);
    for (const Words& options :
         {Words{"--audit", "1"}, Words{"--audit", "1", "-j", "2"}, Words{"--audit", "1", "--strategy", "dfs"},
          Words{"--audit", "1", "--isolation", "fork", "--reduction", "hb"}}) {
      const Ran ran = run(options, "mutex", what);
      EXPECT_GT(ran.report["audited"], 0) << describe(ran);
      EXPECT_TRUE(ran.report["refuted"].is_null()) << describe(ran);
      EXPECT_EQ(reached(ran), reached(all)) << describe(ran);
      if (options.size() > 2) continue;
      EXPECT_EQ(ran.report["schedules"], without.report["schedules"]) << describe(ran);
      EXPECT_EQ(ran.report["pruned"], without.report["pruned"]) << describe(ran);
    }
  }
}

// Each shard knows its own ends only. It refutes by a state that it knows with another outcome.
TEST(Audit, OfShardsRefutesNothingWhereAllIsSeen) {
  for (const char* part : {"1/2", "2/2"}) {
    const Ran ran = run({"--audit", "1", "--shard", part}, "mutex", "between");
    EXPECT_TRUE(ran.report["refuted"].is_null()) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
