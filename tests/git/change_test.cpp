// The mapping of lines between two versions, and the repository in memory.
#include <gtest/gtest.h>

#include "git/fake_repository.h"

namespace reex::test {
namespace {

TEST(Change, LinesAreMappedThroughHunks) {
  FakeRepository repository("/r");
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n";
  const std::string after = "0\n1\n2\nthree\nand a half\n4\n5\n8\n";
  repository.commit({{"f", before}});
  repository.commit({{"f", after}});
  const std::vector<FileChange> changes = repository.diff_commits("HEAD~1", "HEAD");
  ASSERT_EQ(changes.size(), 1U);
  const std::vector<Hunk>& hunks = changes[0].hunks;
  ASSERT_EQ(hunks.size(), 3U);
  // "0" was added before line 1; 3 was replaced by two; 6 and 7 were deleted after the new line 7.
  EXPECT_EQ(hunks[0].old_start, 0U);
  EXPECT_EQ(hunks[0].old_count, 0U);
  EXPECT_EQ(hunks[1].removed, std::vector<std::string>{"3"});
  EXPECT_EQ(hunks[1].added, (std::vector<std::string>{"three", "and a half"}));
  EXPECT_EQ(hunks[2].new_start, 7U);
  EXPECT_EQ(hunks[2].new_count, 0U);
  struct Row {
    unsigned old_line, new_line;
  };
  for (const Row& row : {Row{1, 2}, {2, 3}, {4, 6}, {5, 7}, {8, 8}}) {
    EXPECT_EQ(new_line_of(hunks, row.old_line), row.new_line);
    EXPECT_EQ(old_line_of(hunks, row.new_line), row.old_line);
  }
  for (const unsigned gone : {3, 6, 7}) EXPECT_EQ(new_line_of(hunks, gone), 0U) << gone;
  for (const unsigned fresh : {1, 4, 5}) EXPECT_EQ(old_line_of(hunks, fresh), 0U) << fresh;
  EXPECT_EQ(old_content(changes[0], after), before);
}

TEST(Change, FakeKnowsItsCommits) {
  FakeRepository repository("/r");
  EXPECT_EQ(repository.commit({{"a", "1\n"}}), "c1");
  EXPECT_EQ(repository.commit({{"b", "1\n"}, {"c", "new\n"}}), "c2");
  EXPECT_EQ(repository.resolve("HEAD~1"), "c1");
  EXPECT_THROW(repository.resolve("HEAD~2"), RepositoryError);
  EXPECT_THROW(repository.resolve("nonsense"), RepositoryError);
  const std::vector<FileChange> changes = repository.diff_working_tree("c1");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].status, FileStatus::renamed);
  EXPECT_EQ(changes[0].old_path, "a");
  EXPECT_EQ(changes[1].status, FileStatus::added);
  EXPECT_EQ(repository.content("c1", "a"), "1\n");
  EXPECT_EQ(repository.content("c2", "a"), std::nullopt);
}

} // namespace
} // namespace reex::test
