// Diffs that are given as text.
#include <gtest/gtest.h>

#include "git/repository.h"

namespace reex::test {
namespace {

TEST(DiffText, ReadsGitAndPlainDiffs) {
  const std::string body = "@@ -1,4 +1,3 @@\n one\n-two\n three\n-four\n+five\n";
  struct Row {
    const char* what;
    std::string text;
  };
  const Row rows[] = {
      {"git",
       "diff --git a/d/x.cpp b/d/x.cpp\nindex 1111111..2222222 100644\n--- a/d/x.cpp\n+++ b/d/x.cpp\n" +
           body},
      {"git in a mail",
       "From: me\nSubject: x\n\ndiff --git a/d/x.cpp b/d/x.cpp\n--- a/d/x.cpp\n+++ b/d/x.cpp\n" + body},
      {"diff -u", "--- a/d/x.cpp\t2020-01-01 00:00:00\n+++ b/d/x.cpp\t2020-01-02 00:00:00\n" + body},
      {"without prefixes", "--- d/x.cpp\n+++ d/x.cpp\n" + body},
  };
  for (const Row& row : rows) {
    const std::vector<FileChange> changes = parse_diff(row.text);
    ASSERT_EQ(changes.size(), 1U) << row.what;
    EXPECT_EQ(changes[0].new_path, "d/x.cpp") << row.what;
    ASSERT_EQ(changes[0].hunks.size(), 2U) << row.what;
    EXPECT_EQ(changes[0].hunks[0].new_start, 1U) << row.what;
    EXPECT_EQ(changes[0].hunks[0].new_count, 0U) << row.what;
    EXPECT_EQ(changes[0].hunks[1].new_start, 3U) << row.what;
    EXPECT_EQ(changes[0].hunks[1].removed, std::vector<std::string>{"four"}) << row.what;
    EXPECT_NE(changes[0].text.find("+five"), std::string::npos) << row.what;
  }
}

TEST(DiffText, AddedAndDeletedFiles) {
  const std::vector<FileChange> changes = parse_diff("--- /dev/null\n+++ b/new.h\n@@ -0,0 +1 @@\n+int x;\n"
                                                     "--- a/old.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-int y;\n");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].status, FileStatus::added);
  EXPECT_EQ(changes[0].old_path, "");
  EXPECT_EQ(changes[1].status, FileStatus::deleted);
  EXPECT_EQ(changes[1].new_path, "");
}

TEST(DiffText, NothingAndNonsense) {
  EXPECT_TRUE(parse_diff("").empty());
  EXPECT_TRUE(parse_diff("\n \n").empty());
  EXPECT_THROW(parse_diff("@@ what is this\n"), RepositoryError);
}

} // namespace
} // namespace reex::test
