// Tests of the oracle: compares it with outcomes that were computed by hand (the `expect` lines of
// programs/), and with plain enumeration.
#include "tests/model/model.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/model/generator.h"

namespace reex::model {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Program named(const std::string& name) {
  return parse(content(std::filesystem::path(REEX_MODEL_PROGRAMS_DIR) / (name + ".txt")));
}

// The outcomes as sorted `expect` lines.
std::string expected(const Program& program) {
  std::map<std::pair<std::string, std::string>, unsigned> sorted;
  for (const Expectation& line : program.expectations) sorted[{line.status, line.output}] = line.preemptions;
  std::ostringstream out;
  for (const auto& [outcome, preemptions] : sorted)
    out << preemptions << ' ' << outcome.first << ' ' << escape(outcome.second) << '\n';
  return out.str();
}

std::string found(const Outcomes& outcomes) {
  Program program;
  for (const auto& [outcome, preemptions] : outcomes)
    program.expectations.push_back({preemptions, outcome.status(), outcome.output});
  return expected(program);
}

class Programs : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Programs, OutcomesAreThoseComputedByHand) {
  const Program program = parse(content(GetParam()));
  if (program.expectations.empty()) GTEST_SKIP() << "no expectations in the file";
  EXPECT_EQ(expected(program), found(explore(program)));
}

TEST_P(Programs, TextIsReadBackUnchanged) {
  const Program program = parse(content(GetParam()));
  EXPECT_EQ(to_text(program), to_text(parse(to_text(program))));
}

TEST_P(Programs, EnumerationAgrees) {
  const Program program = parse(content(GetParam()));
  Enumeration naive;
  try {
    naive = enumerate(program);
  } catch (const TooLarge&) {
    GTEST_SKIP() << "too large to enumerate";
  }
  EXPECT_EQ(to_text(naive.outcomes), to_text(explore(program)));
  EXPECT_EQ(naive.schedules, count_schedules(program));
}

std::vector<std::filesystem::path> program_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(REEX_MODEL_PROGRAMS_DIR))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Model, Programs, testing::ValuesIn(program_files()),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(Model, CountsSchedulesByPreemptions) {
  // Two threads that print once each, and main, which is blocked from the start: two orders without a
  // preemption.
  EXPECT_EQ((std::vector<std::uint64_t>{2}),
            count_schedules(parse("thread 0\n create 1\n create 2\n join 1\n join 2\n"
                                  "thread 1\n print a\nthread 2\n print b\n")));
  // The interleavings of 2 + 2 operations, by their preemptions: aabb abba abab, and mirrored.
  EXPECT_EQ((std::vector<std::uint64_t>{2, 2, 2}),
            count_schedules(parse("thread 0\n create 1\n create 2\n join 1\n join 2\n"
                                  "thread 1\n print a\n print a\nthread 2\n print b\n print b\n")));
}

TEST(Model, ASecondReadingIsToldApart) {
  const Program program =
      parse("atomic x0\nthread 0\n create 1\n store x0 1\n store x0 0\n print a\n join 1\n"
            "thread 1\n load x0 r0\n if r0 == 1\n abort\n end\n");
  const Outcome after_print{"a", 0, "abort"};
  EXPECT_FALSE(explore(program).contains(after_print));
  Reading reading;
  reading.abort_is_a_point = true;
  EXPECT_EQ(2U, explore(program, reading).at(after_print));
}

TEST(Model, LateStartCostsAPreemptionPerGeneration) {
  const Program program = named("nested_creation");
  Reading late;
  late.late_start = true;
  EXPECT_EQ(1U, explore(program).at(Outcome{"cab", 0, ""}));
  EXPECT_EQ(2U, explore(program, late).at(Outcome{"cab", 0, ""}));
}

TEST(Model, SyntaxErrorsNameTheLine) {
  try {
    parse("thread 0\n  lock m0 m1\n");
    FAIL();
  } catch (const SyntaxError& error) {
    EXPECT_STREQ("line 2: lock: wrong number of arguments", error.what());
  }
  EXPECT_THROW(parse("thread 0\n lock m0\n"), SyntaxError);
  EXPECT_THROW(parse("thread 0\n loop 2\n yield\n"), SyntaxError);
  EXPECT_THROW(parse("thread 0\n frobnicate\n"), SyntaxError);
  EXPECT_THROW(parse("print a\n"), SyntaxError);
}

// Programs that are small enough to enumerate their schedules one by one.
class Generated : public testing::TestWithParam<std::uint64_t> {
protected:
  Program program() const {
    GeneratorLimits limits;
    limits.max_schedules = 3'000;
    return generate(GetParam(), limits);
  }
};

TEST_P(Generated, EnumerationAgreesAndTextIsReadBack) {
  const Program program = this->program();
  const std::string text = to_text(program);
  EXPECT_EQ(text, to_text(parse(text)));
  const Enumeration naive = enumerate(program);
  EXPECT_EQ(to_text(naive.outcomes), to_text(explore(program))) << text;
  EXPECT_EQ(naive.schedules, count_schedules(program)) << text;
}

// Joins that can complete, and the beginning of a sleep, commute with everything. Choices there add
// schedules, but no outcomes, and no outcome needs fewer preemptions.
TEST_P(Generated, ChoosingAtJoinsAndSleepsChangesNothing) {
  const Program program = this->program();
  Reading more_choices;
  more_choices.choice_at_joins = true;
  more_choices.choice_at_sleeps = true;
  EXPECT_EQ(to_text(explore(program)), to_text(explore(program, more_choices))) << to_text(program);
}

INSTANTIATE_TEST_SUITE_P(Model, Generated, testing::Range<std::uint64_t>(1, 61));

} // namespace
} // namespace reex::model
