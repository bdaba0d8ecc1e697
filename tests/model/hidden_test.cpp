// Generated programs that keep their variables where an observer of instrumented code does not look: in the
// environment of the process, which libc hides, in inline assembly, in functions that are exempted from
// hooks, and in code without hooks. All but the last reach exactly their outcomes. For the last, nothing may
// be claimed in silence.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/model/emit_cpp.h"
#include "tests/model/generator.h"
#include "tests/model/reex_run.h"

namespace reex::model {
namespace {

class Hidden : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "reex-hidden-XXXXXX").string();
    ASSERT_NE(nullptr, mkdtemp(name.data()));
    m_directory = name;
  }
  void TearDown() override { std::filesystem::remove_all(m_directory); }

  Claim run(const Configuration& configuration, const char* binary, unsigned seed) const {
    return ReexRun(REEX_DEFAULT_BINARY, m_directory).run(configuration, binary, std::to_string(seed));
  }

  void expect_exact(const Program& program, const char* binary, unsigned seed) const {
    const Truth truth(program);
    for (const char* reduction : {"auto", "none"})
      for (const std::optional<unsigned> bound :
           {std::optional(0U), std::optional(1U), std::optional(2U), {}}) {
        const Configuration configuration{.bound = bound, .reduction = reduction, .jobs = 1 + seed % 2};
        const Claim claim = run(configuration, binary, seed);
        EXPECT_EQ(truth.differences(claim, configuration, false), "") << claim.command << "\n"
                                                                      << to_text(program);
      }
  }

  void expect_exact_with_atomics(const char* binary) const {
    unsigned programs = 0;
    for (unsigned seed = REEX_HIDDEN_FIRST; seed <= REEX_HIDDEN_LAST; ++seed) {
      const Program program = generate(seed);
      if (program.atomics.empty()) continue;
      ++programs;
      expect_exact(program, binary, seed);
    }
    EXPECT_GE(programs, 6U);
  }

private:
  std::string m_directory;
};

constexpr unsigned k_in_plain_code = 6; // programs

unsigned in_environment(const Program& program) {
  unsigned count = 0;
  for (std::size_t i = 0; i < program.atomics.size(); ++i)
    count += can_be_in_environment(program, static_cast<int>(i)) ? 1 : 0;
  return count;
}

// Whether a loop may wait for a variable: in code without hooks, nothing would ever end it.
bool may_wait_in_a_loop(const Program& program) {
  return std::any_of(program.threads.begin(), program.threads.end(), [](const std::vector<Op>& body) {
    return std::any_of(body.begin(), body.end(), [](const Op& op) { return op.code == OpCode::while_; });
  });
}

TEST_F(Hidden, StateOfLibcIsExplored) {
  unsigned variables = 0;
  for (unsigned seed = REEX_HIDDEN_FIRST; seed <= REEX_HIDDEN_LAST; ++seed) {
    const Program program = generate(seed);
    variables += in_environment(program);
    if (in_environment(program) != 0) expect_exact(program, REEX_IN_ENVIRONMENT, seed);
  }
  EXPECT_GE(variables, 6U);
}

TEST_F(Hidden, AssemblyIsExplored) { expect_exact_with_atomics(REEX_IN_ASSEMBLY); }

TEST_F(Hidden, ExemptedFunctionsAreExplored) { expect_exact_with_atomics(REEX_IN_EXEMPTED); }

TEST_F(Hidden, CodeWithoutHooksIsAGap) {
  unsigned programs = 0;
  for (unsigned seed = REEX_HIDDEN_FIRST; seed <= REEX_HIDDEN_LAST && programs < k_in_plain_code; ++seed) {
    const Program program = generate(seed);
    if (program.atomics.empty() || may_wait_in_a_loop(program)) continue;
    ++programs;
    const Truth truth(program);
    const Claim all = run({.bound = 2}, REEX_IN_PLAIN_CODE, seed);
    const Claim reduced = run({.bound = 2, .reduction = "auto"}, REEX_IN_PLAIN_CODE, seed);
    const Claim trusting = run({.bound = 2, .reduction = "hb"}, REEX_IN_PLAIN_CODE, seed);
    EXPECT_EQ(all.outcomes, reduced.outcomes) << reduced.command;
    for (const Claim* claim : {&all, &reduced, &trusting}) {
      EXPECT_EQ(claim->error, "") << claim->command;
      for (const auto& [outcome, preemptions] : claim->outcomes)
        EXPECT_TRUE(truth.outcomes().contains(outcome)) << claim->command;
      ASSERT_TRUE(claim->gaps.contains("unseen-code")) << claim->command;
      EXPECT_EQ(claim->gaps.at("unseen-code"), claim == &trusting ? "claims" : "told") << claim->command;
    }
    EXPECT_EQ(reduced.bound_completed, 2) << reduced.command;
    EXPECT_FALSE(trusting.bound_completed) << trusting.command;
    EXPECT_FALSE(trusting.exhausted) << trusting.command;
  }
  EXPECT_EQ(programs, k_in_plain_code);
}

} // namespace
} // namespace reex::model
