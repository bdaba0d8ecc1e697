#include "cli/subject/change.h"

#include <gtest/gtest.h>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

ChangeOptions based_on(const std::string& base) {
  ChangeOptions options;
  options.base = base;
  return options;
}

TEST(ChangeTitle, NamesBothSides) {
  ChangeOptions options = based_on("HEAD~1");
  EXPECT_EQ(change_title(options), "HEAD~1 to the files on disk");
  options.merge_base = true;
  options.head = "topic";
  EXPECT_EQ(change_title(options), "merge base with HEAD~1 to topic");
  options.base = "a17b73c3536e34717dafe5ed461b342fe20df53d";
  options.head = "0123456789012345678901234567890123456789";
  EXPECT_EQ(change_title(options), "merge base with a17b73c353 to 0123456789");
  ChangeOptions staged;
  staged.staged = true;
  EXPECT_EQ(change_title(staged), "HEAD to what is staged");
}

TEST(ChangeUnderTest, IsNoneWithoutAnOption) {
  EXPECT_FALSE(change_under_test(ChangeOptions(), nullptr).has_value());
  ChangeOptions everything;
  everything.all = true;
  EXPECT_FALSE(change_under_test(everything, nullptr).has_value());
}

TEST(ChangeUnderTest, RefusesContradictions) {
  ChangeOptions options = based_on("HEAD");
  options.all = true;
  EXPECT_THROW(change_under_test(options, nullptr), UsageError);
  options = ChangeOptions();
  options.head = "HEAD";
  EXPECT_THROW(change_under_test(options, nullptr), UsageError);
  options = ChangeOptions();
  options.staged = options.worktree = true;
  EXPECT_THROW(change_under_test(options, nullptr), UsageError);
}

TEST(ChangeUnderTest, NeedsARepository) {
  ChangeOptions options = based_on("HEAD");
  options.repository = "/";
  try {
    change_under_test(options, nullptr);
    FAIL();
  } catch (const CommandError& error) {
    EXPECT_EQ(error.status(), ExitStatus::unresolved);
  }
}

} // namespace
} // namespace reex
