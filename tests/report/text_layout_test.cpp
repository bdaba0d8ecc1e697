#include "report/text/text_layout.h"

#include <gtest/gtest.h>

#include "report/text/paths.h"

namespace reex {
namespace {

TEST(Fit, CutsAtCharactersAndSaysSo) {
  EXPECT_EQ(fit("abcdef", 6), "abcdef");
  EXPECT_EQ(fit("abcdefg", 6), "abc...");
  EXPECT_EQ(fit("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4), "\xc3\xa9...");
  EXPECT_EQ(fit("abcdef", 2), "..");
}

TEST(Wrap, BreaksAtBlanks) {
  EXPECT_EQ(wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("onetwothree four", 4), (std::vector<std::string>{"onetwothree", "four"}));
  EXPECT_EQ(wrap("a\nb\n", 10), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(wrap("", 10), std::vector<std::string>{""});
}

TEST(Wrap, KeepsEveryWord) {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  for (std::size_t width = 1; width < 50; ++width) {
    std::string together;
    for (const std::string& line : wrap(text, width)) together += (together.empty() ? "" : " ") + line;
    EXPECT_EQ(together, text) << width;
  }
}

TEST(ThreadNames, AreThoseOfTheColumns) {
  EXPECT_EQ(short_thread_names("waits for mutex#1 held by thread 12"), "waits for mutex#1 held by T12");
  EXPECT_EQ(short_thread_names("thread 1 and thread 2"), "T1 and T2");
  EXPECT_EQ(short_thread_names("thread exit, mythread 1, thread "), "thread exit, mythread 1, thread ");
}

TEST(Numbers, AreGroupedAndCounted) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "thread"), "1 thread");
  EXPECT_EQ(counted(0, "thread"), "0 threads");
}

TEST(Paths, AreShownFromAFolder) {
  EXPECT_EQ(path_within("/a/b/c", "/a/b"), "c");
  EXPECT_EQ(path_within("/a/bc", "/a/b"), "/a/bc");
  EXPECT_EQ(path_within("/a/b", ""), "/a/b");
  EXPECT_EQ(path_within("/x", "/"), "x");
  EXPECT_EQ(base_name("/a/b.h"), "b.h");
}

} // namespace
} // namespace reex
