// Programs with signals: reex reaches exactly the outcomes that brute force finds.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/model/handlers.h"
#include "tests/model/reex_run.h"

namespace reex::model {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Handlers : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "reex-handlers-XXXXXX").string();
    ASSERT_NE(nullptr, mkdtemp(name.data()));
    m_directory = name;
  }
  void TearDown() override { std::filesystem::remove_all(m_directory); }

  // Whether all schedules were explored. If not, nothing else is known than that none is wrong.
  bool expect_exact(const std::string& program, const Configuration& configuration) const {
    const std::set<std::string> expected = outcomes_of(parse_handlers(program));
    const Claim claim =
        ReexRun(REEX_DEFAULT_BINARY, m_directory).run(configuration, REEX_HANDLERS_INTERPRETER, program);
    EXPECT_EQ(claim.error, "") << claim.command;
    std::set<std::string> seen;
    for (const auto& [outcome, preemptions] : claim.outcomes) {
      EXPECT_EQ(outcome.failure, "") << claim.command;
      EXPECT_TRUE(expected.contains(outcome.output)) << claim.command << "\n" << outcome.output;
      seen.insert(outcome.output);
    }
    if (claim.exhausted) {
      EXPECT_EQ(seen, expected) << claim.command;
    }
    return claim.exhausted;
  }

private:
  std::string m_directory;
};

constexpr std::uint64_t k_most_schedules = 10'000;

// More programs: HANDLERS_FIRST=1000 HANDLERS_COUNT=500 model_handlers_test
TEST_F(Handlers, ComeWhereverTheyCan) {
  const std::uint64_t first = from_environment("HANDLERS_FIRST", 1);
  const std::uint64_t count = from_environment("HANDLERS_COUNT", 60);
  std::size_t outcomes = 0, exact = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string program = draw_handlers(seed);
    outcomes += outcomes_of(parse_handlers(program)).size();
    exact += expect_exact(program, {.bound = {},
                                    .reduction = "auto",
                                    .audit = static_cast<unsigned>(seed / 2 % 2),
                                    .jobs = 1 + static_cast<unsigned>(seed % 2),
                                    .samples = k_most_schedules})
                 ? 1
                 : 0;
  }
  EXPECT_GE(outcomes, 3 * count); // the programs are not trivial
  EXPECT_GE(exact, count / 4 * 3);
}

TEST_F(Handlers, WithoutReductionAndInForkMode) {
  constexpr unsigned k_programs = 12;
  unsigned without = 0, forked = 0;
  for (std::uint64_t seed = 1001; seed < 1001 + k_programs; ++seed) {
    const std::string program = draw_handlers(seed);
    without += expect_exact(program, {.bound = {}, .reduction = "none", .samples = k_most_schedules});
    forked += expect_exact(
        program, {.bound = {}, .isolation = "fork", .reduction = "hb", .samples = k_most_schedules / 10});
  }
  EXPECT_GE(without, k_programs / 2);
  EXPECT_GE(forked, k_programs / 3);
}

} // namespace
} // namespace reex::model
