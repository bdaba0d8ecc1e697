#include "cli/options/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/options/help.h"
#include "cli/terminal/command_error.h"
#include "report/text/text_layout.h"

namespace reex {
namespace {

std::string value_of(const CommandLine& line, const std::string& name) {
  for (const auto& [row, text] : line.given) {
    if (row->long_name() == name) return text;
  }
  return "(not given)";
}

TEST(CommandLine, ExploresWhereNoVerbIsNamed) {
  const CommandLine line =
      parse_command_line({"--base", "HEAD~1", "build/test", "--bound=1", "--", "--base", "x"});
  EXPECT_EQ(line.verb, Verb::run);
  EXPECT_FALSE(line.verb_named);
  EXPECT_EQ(line.operands, std::vector<std::string>{"build/test"});
  EXPECT_EQ(line.test_arguments, (std::vector<std::string>{"--base", "x"}));
  EXPECT_EQ(value_of(line, "--base"), "HEAD~1");
  EXPECT_EQ(value_of(line, "--bound"), "1");
}

TEST(CommandLine, TakesAProgramAndItsArgumentsAfterTheDashes) {
  for (const bool named : {true, false}) {
    std::vector<std::string> words{"--bound", "1", "--", "xz", "-T2", "--", "file"};
    if (named) words.insert(words.begin(), "run");
    const CommandLine line = parse_command_line(words);
    EXPECT_EQ(line.operands, std::vector<std::string>{"xz"});
    EXPECT_EQ(line.test_arguments, (std::vector<std::string>{"-T2", "--", "file"}));
    EXPECT_EQ(value_of(line, "--bound"), "1");
  }
  const CommandLine list = parse_command_line({"list", "--", "tests"});
  EXPECT_TRUE(list.operands.empty());
}

TEST(CommandLine, KnowsVerbsInFrontOnly) {
  EXPECT_EQ(parse_command_line({"replay", "x.reex"}).verb, Verb::replay);
  EXPECT_EQ(parse_command_line({"list", "tests", "b"}).operands, (std::vector<std::string>{"tests", "b"}));
  const CommandLine line = parse_command_line({"./replay", "-q"});
  EXPECT_EQ(line.verb, Verb::run);
  EXPECT_EQ(line.operands, std::vector<std::string>{"./replay"});
}

TEST(CommandLine, JoinsFormatsAndTakesTheLastOfTheRest) {
  const CommandLine line = parse_command_line(
      {"--format", "text", "--format", "json:a", "--seed", "1", "--seed", "2", "-k", "0", "t"});
  EXPECT_EQ(value_of(line, "--format"), "text,json:a");
  EXPECT_EQ(value_of(line, "--seed"), "2");
  EXPECT_EQ(value_of(line, "--keep-going"), "0");
}

TEST(CommandLine, RefusesInOneLine) {
  const auto why = [](const std::vector<std::string>& words) -> std::string {
    try {
      parse_command_line(words);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(why({"--frob", "t"}), "there is no option --frob: reex --help shows the options");
  EXPECT_EQ(why({"t", "--bound"}), "--bound needs a value: reex --help shows the options");
  EXPECT_NE(why({"flags", "--bound", "1"}), "");
  EXPECT_NE(why({"doctor", "--hook.budget", "1"}), ""); // a setting and no option
  EXPECT_EQ(why({"t", "--bou", "1"}).find('\n'), std::string::npos);
}

TEST(Help, FitsATerminalAndNamesEveryOption) {
  for (const VerbRow& verb : verb_table()) {
    const std::string text = help_text(verb.verb, false);
    for (const std::string& line : wrap(text, std::string::npos)) EXPECT_LE(display_width(line), 80U) << line;
    for (const OptionRow& row : option_table()) {
      const bool shown = text.find(row.long_name()) != std::string::npos;
      EXPECT_TRUE(shown || (row.verbs & verb_bit(verb.verb)) == 0 || !row.is_option()) << row.names;
      EXPECT_FALSE(shown && !row.is_option()) << row.names;
    }
  }
  for (const std::string& line : wrap(help_text(Verb::run, true), std::string::npos)) {
    EXPECT_LE(display_width(line), 80U) << line;
  }
}

} // namespace
} // namespace reex
