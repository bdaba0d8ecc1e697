#include "report/text/bytes_text.h"

#include <gtest/gtest.h>

#include "report/text/shell_quote.h"

namespace reex {
namespace {

TEST(EscapeInvalidUtf8, KeepsWhatIsValid) {
  const std::string text = "plain\n\t caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf";
  EXPECT_EQ(escape_invalid_utf8(text), text);
}

TEST(EscapeInvalidUtf8, EscapesEachByteThatIsNot) {
  EXPECT_EQ(escape_invalid_utf8("a\xff"
                                "b"),
            "a\\xffb");
  EXPECT_EQ(escape_invalid_utf8("\xc3"), "\\xc3");                            // cut off
  EXPECT_EQ(escape_invalid_utf8("\xc0\x80"), "\\xc0\\x80");                   // overlong
  EXPECT_EQ(escape_invalid_utf8("\xe0\x80\x80"), "\\xe0\\x80\\x80");          // overlong
  EXPECT_EQ(escape_invalid_utf8("\xed\xa0\x80"), "\\xed\\xa0\\x80");          // a surrogate
  EXPECT_EQ(escape_invalid_utf8("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"); // above U+10FFFF
  EXPECT_EQ(escape_invalid_utf8(std::string("\0", 1)), std::string("\0", 1));
}

TEST(EscapeForTerminal, TakesControlCharactersOut) {
  EXPECT_EQ(escape_for_terminal("a\x1b[31m\r\n"), "a\\x1b[31m\\x0d\n");
}

TEST(CutBytes, CutsBeforeASequence) {
  EXPECT_EQ(cut_bytes("abc", 3), "abc");
  EXPECT_EQ(cut_bytes("abcd", 3), "abc");
  EXPECT_EQ(cut_bytes("ab\xc3\xa9", 3), "ab");
  EXPECT_EQ(cut_bytes("\x80\x80\x80\x80\x80\x80", 5), "\x80\x80\x80\x80\x80");
}

TEST(ShellQuote, QuotesOnlyWhereItMustBe) {
  EXPECT_EQ(shell_quote("/a/b-c_1.reex"), "/a/b-c_1.reex");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_command({"reex", "replay", "a$b"}), "reex replay 'a$b'");
}

} // namespace
} // namespace reex
