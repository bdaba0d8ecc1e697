// The difference of two texts.
#include <random>

#include <gtest/gtest.h>

#include "git/repository.h"
#include "git/unified_diff.h"

namespace reex::test {
namespace {

TEST(UnifiedDiff, ShowsThreeLinesOfContext) {
  EXPECT_EQ(unified_diff("a", "1\n2\n", "1\n2\n"), "");
  EXPECT_EQ(unified_diff("a", "", "1\n"), "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+1\n");
  EXPECT_EQ(unified_diff("d/a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "--- a/d/a\n+++ b/d/a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("f", "a", "ab"), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n"
                                          "+ab\n\\ No newline at end of file\n");
}

// The new text and the difference give the old text.
TEST(UnifiedDiff, LosesNothing) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string before;
    std::string after;
    for (int i = 0; i < 40; ++i) {
      const std::string line = std::string(random() % 3, 'x') + "\n";
      if (random() % 5 != 0) before += line;
      if (random() % 5 != 0) after += line;
    }
    const std::vector<FileChange> changes = parse_diff(unified_diff("f", before, after));
    if (before == after) {
      EXPECT_TRUE(changes.empty());
      continue;
    }
    ASSERT_EQ(changes.size(), 1U) << before << "\n" << after;
    EXPECT_EQ(old_content(changes[0], after), before) << after;
  }
}

// Its cost is that of the changes, not of the square of the lines.
TEST(UnifiedDiff, OfLargeTexts) {
  std::string before;
  std::string after;
  for (int i = 0; i < 200000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    before += line;
    after += i == 1000 || i == 199000 ? "new\n" + line : line;
  }
  const std::string diff = unified_diff("f", before, after);
  EXPECT_NE(diff.find("@@ -998,6 +998,7 @@"), std::string::npos) << diff;
  EXPECT_NE(diff.find("@@ -198998,6 +198999,7 @@"), std::string::npos) << diff;
}

} // namespace
} // namespace reex::test
