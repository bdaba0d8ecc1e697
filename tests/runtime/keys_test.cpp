// Which failures are the same, and where their schedules are kept.
#include <set>

#include <gtest/gtest.h>

#include "tests/runtime/tool.h"

namespace reex::runtime_test {
namespace {

namespace fs = std::filesystem;
using namespace reex::tool;

const std::string k_program = REEX_PROGRAMS "/keys";

std::set<std::string> keys_of(const nlohmann::json& run) {
  std::set<std::string> keys;
  for (const auto& failure : run["failures"]) keys.insert(failure["key"].get<std::string>());
  return keys;
}

TEST(Keys, TwoChecksInOneFunctionAreTwoFailures) {
  for (const char* scenario : {"two_assertions", "two_checks"}) {
    std::set<std::string> before;
    for (const Words& options : {Words{}, Words{"--isolation", "fork"}, Words{"-j", "2"}}) {
      const Folder folder;
      Words all{"-k", "0"};
      all.insert(all.end(), options.begin(), options.end());
      const Ran ran = explore(folder, all, {k_program, scenario});
      EXPECT_EQ(ran.status, 1) << describe(ran);
      const std::set<std::string> keys = keys_of(ran.report);
      EXPECT_EQ(keys.size(), 2U) << describe(ran);
      EXPECT_TRUE(before.empty() || before == keys) << describe(ran);
      EXPECT_EQ(std::set<std::string>({keys.begin()->substr(0, 8)}),
                std::set<std::string>({keys.rbegin()->substr(0, 8)}));
      before = keys;
      for (const std::string& key : keys)
        EXPECT_TRUE(fs::exists(folder / (".reex/failures/keys-" + key + ".reex"))) << key;
      for (const auto& failure : ran.report["failures"]) EXPECT_GT(failure["count"], 0) << failure;
    }
  }
}

TEST(Keys, TwoChecksOfOneGoogleTest) {
  const Folder folder;
  const Ran ran =
      explore(folder, {"-k", "0", "--filter", "Counter.FailsInTwoChecks"}, {REEX_PROGRAMS "/suite"});
  EXPECT_EQ(ran.status, 1) << describe(ran);
  EXPECT_EQ(keys_of(ran.report).size(), 2U) << describe(ran);
}

// Neither binary overwrites the other's schedule file.
TEST(Keys, BinariesHaveTheirOwnFiles) {
  const Folder folder;
  const auto copy = [&](const char* name) {
    fs::create_directories((folder / name).parent_path());
    fs::copy_file(k_program, folder / name, fs::copy_options::overwrite_existing);
    return (folder / name).string();
  };
  std::set<std::string> files;
  copy("a/test");
  for (const std::string& binary : {copy("b/test"), copy("a/other"), copy("a/test"), copy("b/test")}) {
    const Ran ran = explore(folder, {}, {binary, "two_assertions"});
    ASSERT_EQ(ran.report["failures"].size(), 1U) << describe(ran);
    files.insert(ran.report["failures"][0]["replay"].get<std::string>());
  }
  EXPECT_EQ(files.size(), 3U);
  EXPECT_EQ(schedule_files(folder.path()).size(), 3U);
  for (const std::string& file : files) {
    const Ran ran = command(folder, {"replay", file});
    EXPECT_EQ(ran.status, 1) << describe(ran);
  }
}

} // namespace
} // namespace reex::runtime_test
