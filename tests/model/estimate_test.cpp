// The estimate of what is left, on generated programs with real threads. It is exact if everything was
// explored, and useful on the way. Programs and order are fixed, so the factors are the same each time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <regex>

#include <gtest/gtest.h>

#include "tests/model/reex_run.h"

namespace reex::model {
namespace {

// How wrong the estimates are after a share of the schedules: the geometric means over the programs of the
// factors by which an estimate is too high or too low.
struct Error {
  double at_half;
  double at_a_tenth;
};

class Estimate : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "reex-estimate-XXXXXX").string();
    ASSERT_NE(nullptr, mkdtemp(name.data()));
    m_directory = name;
  }
  void TearDown() override { std::filesystem::remove_all(m_directory); }

  double factor(const Claim& all, Configuration configuration, std::uint64_t part, const std::string& seed) {
    configuration.samples = std::max<std::uint64_t>(part, 1);
    const Claim some = ReexRun(REEX_DEFAULT_BINARY, m_directory).run(configuration, REEX_STRAIGHT, seed);
    EXPECT_FALSE(some.estimate.empty()) << some.command;
    const ClaimedEstimate& estimate = some.estimate.back();
    const double expected = static_cast<double>(estimate.executed) + estimate.left.value_or(NAN);
    return std::abs(std::log(expected / static_cast<double>(all.estimate.back().executed)));
  }

  static constexpr unsigned k_programs = 6; // with three runs each

  Error explore(std::optional<unsigned> bound, const std::string& reduction) {
    Error error{0, 0};
    for (unsigned seed = REEX_STRAIGHT_FIRST; seed < REEX_STRAIGHT_FIRST + k_programs; ++seed) {
      const Configuration configuration{.bound = bound, .reduction = reduction};
      const std::string argument = std::to_string(seed);
      const Claim all = ReexRun(REEX_DEFAULT_BINARY, m_directory).run(configuration, REEX_STRAIGHT, argument);
      EXPECT_EQ("", all.error) << all.command;
      if (all.estimate.empty()) {
        ADD_FAILURE() << all.command;
        continue;
      }
      EXPECT_EQ(all.schedules + all.pruned + all.followed, all.estimate.back().executed) << all.command;
      for (const ClaimedEstimate& estimate : all.estimate) EXPECT_EQ(0, estimate.left) << all.command;
      error.at_half += factor(all, configuration, all.schedules / 2, argument);
      error.at_a_tenth += factor(all, configuration, all.schedules / 10, argument);
    }
    return {std::exp(error.at_half / k_programs), std::exp(error.at_a_tenth / k_programs)};
  }

  std::string m_directory;
};

// The estimate of the same program before the exploration and at its end.
TEST_F(Estimate, OfADryRun) {
  const std::string argument = std::to_string(REEX_STRAIGHT_FIRST);
  const std::string command = "cd '" + m_directory +
                              "' && timeout 60 '" REEX_DEFAULT_BINARY
                              "' --dry-run --reduction none --bound none '" REEX_STRAIGHT "' -- " +
                              argument;
  FILE* output = popen(command.c_str(), "r");
  ASSERT_NE(nullptr, output);
  std::string text(1 << 16, '\0');
  text.resize(fread(text.data(), 1, text.size(), output));
  ASSERT_EQ(0, pclose(output));
  EXPECT_NE(std::string::npos, text.find("at bound 0: ")) << text;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, std::regex("without a bound: about ([0-9,]+) schedules")))
      << text;
  EXPECT_TRUE(std::filesystem::is_empty(m_directory));
  std::string digits = found[1];
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const Claim all = ReexRun(REEX_DEFAULT_BINARY, m_directory)
                        .run({.bound = {}, .reduction = "none"}, REEX_STRAIGHT, argument);
  const double factor = std::stod(digits) / static_cast<double>(all.schedules);
  EXPECT_LT(factor, 10);
  EXPECT_GT(factor, 0.1);
}

TEST_F(Estimate, AtABound) {
  const Error error = explore(2, "none");
  EXPECT_LT(error.at_half, 1.5);
  EXPECT_LT(error.at_a_tenth, 2.5);
}

TEST_F(Estimate, WithoutABound) {
  const Error error = explore({}, "none");
  EXPECT_LT(error.at_half, 1.5);
  EXPECT_LT(error.at_a_tenth, 4);
}

TEST_F(Estimate, WithReduction) {
  const Error error = explore({}, "auto");
  EXPECT_LT(error.at_half, 2);
  EXPECT_LT(error.at_a_tenth, 4);
}

} // namespace
} // namespace reex::model
