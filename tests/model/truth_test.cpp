// The comparison finds what is wrong with a claim.
#include "tests/model/truth.h"

#include <gtest/gtest.h>

namespace reex::model {
namespace {

// An increment that can be lost: "2;" without a preemption, "1;" with one.
constexpr const char* k_lost_update =
    "atomic x0\n"
    "thread 0\n create 1\n create 2\n join 1\n join 2\n load x0 r0\n printr r0\n"
    "thread 1\n load x0 r0\n increase r0 1\n store x0 r0\n"
    "thread 2\n load x0 r0\n increase r0 1\n store x0 r0\n";

class Difference : public testing::Test {
protected:
  // The right claim at a bound.
  Claim claim_at(std::optional<unsigned> bound) const {
    Claim claim;
    claim.outcomes = bound ? within(m_truth.outcomes(), *bound) : m_truth.outcomes();
    claim.schedules = claim.counted = m_truth.schedules_within(bound);
    claim.bound_completed = bound.value_or(2);
    claim.exhausted = !bound || *bound >= 2;
    return claim;
  }

  std::string differences(const Claim& claim, std::optional<unsigned> bound, bool counts = true) const {
    return m_truth.differences(claim, {"icb", bound, "restore"}, counts);
  }

  Program m_program = parse(k_lost_update);
  Truth m_truth{m_program};
};

TEST_F(Difference, NoneInARightClaim) {
  EXPECT_EQ("", differences(claim_at(0), 0));
  EXPECT_EQ("", differences(claim_at(1), 1));
  EXPECT_EQ("", differences(claim_at({}), {}));
}

TEST_F(Difference, AMissingOutcome) {
  Claim claim = claim_at(1);
  claim.outcomes.erase(Outcome{"1;", 0, ""});
  EXPECT_NE(std::string::npos, differences(claim, 1).find("not reached:    expect 1 0 1;"));
}

TEST_F(Difference, AnOutcomeThatNeedsMorePreemptions) {
  Claim claim = claim_at(0);
  claim.outcomes.emplace(Outcome{"1;", 0, ""}, 0U);
  EXPECT_NE(std::string::npos, differences(claim, 0).find("must not be:    expect 0 0 1;"));
}

TEST_F(Difference, NotTheFewestPreemptions) {
  Claim claim = claim_at({});
  claim.outcomes[Outcome{"1;", 0, ""}] = 2;
  EXPECT_NE(std::string::npos, differences(claim, {}).find("reached with 2: expect 1 0 1;"));
}

TEST_F(Difference, AnotherEndOfTheProcess) {
  Claim claim = claim_at(0);
  claim.outcomes.clear();
  claim.outcomes.emplace(Outcome{"2;", 0, "deadlock"}, 0U);
  const std::string found = differences(claim, 0);
  EXPECT_NE(std::string::npos, found.find("not reached:    expect 0 0 2;"));
  EXPECT_NE(std::string::npos, found.find("must not be:    expect 0 deadlock 2;"));
}

TEST_F(Difference, CountsThatDoNotAddUp) {
  Claim claim = claim_at(1);
  --claim.counted;
  EXPECT_NE(std::string::npos, differences(claim, 1).find("add up to"));
  claim = claim_at(1);
  --claim.schedules;
  --claim.counted;
  EXPECT_NE(std::string::npos, differences(claim, 1).find("schedules, the model has"));
  EXPECT_EQ("", differences(claim, 1, false));
}

TEST_F(Difference, AWrongWordOnCompletion) {
  Claim claim = claim_at(0);
  claim.exhausted = true;
  EXPECT_NE(std::string::npos, differences(claim, 0).find("exhausted is true"));
  claim = claim_at({});
  claim.exhausted = false;
  EXPECT_NE(std::string::npos, differences(claim, {}).find("exhausted is false"));
  claim = claim_at(1);
  claim.bound_completed = 0;
  EXPECT_NE(std::string::npos, differences(claim, 1).find("bound_completed is 0"));
  claim.bound_completed.reset();
  EXPECT_NE(std::string::npos, differences(claim, 1).find("bound_completed is null"));
}

TEST_F(Difference, ARunWithoutAReport) {
  Claim claim = claim_at(0);
  claim.error = "exit status 70";
  EXPECT_EQ("  exit status 70\n", differences(claim, 0));
}

TEST(Reading, OfADifferingClaimIsNamed) {
  const Program program =
      parse("atomic x0\nthread 0\n create 1\n store x0 1\n store x0 0\n print a\n join 1\n"
            "thread 1\n load x0 r0\n if r0 == 1\n abort\n end\n");
  Reading other;
  other.abort_is_a_point = true;
  Claim claim;
  claim.outcomes = explore(program, other);
  claim.exhausted = true;
  const std::string found = Truth(program).differences(claim, {}, false);
  EXPECT_NE(std::string::npos, found.find("as it would be if [abort were a choice point]"));
}

class Sample : public Difference {
protected:
  Claim claim() const {
    Claim claim = claim_at({});
    claim.schedules = claim.counted = k_samples;
    claim.bound_completed = {};
    claim.exhausted = false;
    return claim;
  }
  std::string differences(const Claim& claim, std::uint64_t samples = k_samples) const {
    return m_truth.differences(claim, {.strategy = "random", .bound = {}, .samples = samples}, true);
  }
  static constexpr std::uint64_t k_samples = 100000;
};

TEST_F(Sample, MayNeedMorePreemptionsThanTheFewest) {
  Claim sample = claim();
  EXPECT_EQ("", differences(sample));
  sample.outcomes.at(Outcome{"1;", 0, ""}) = 2;
  EXPECT_EQ("", differences(sample));
  sample.outcomes.at(Outcome{"1;", 0, ""}) = 0;
  EXPECT_NE("", differences(sample));
}

TEST_F(Sample, HasEveryOutcomeIfItIsLarge) {
  Claim sample = claim();
  sample.outcomes.erase(Outcome{"1;", 0, ""});
  EXPECT_NE(std::string::npos, differences(sample).find("not reached:    expect 1 0 1;"));
  sample.schedules = sample.counted = 10;
  EXPECT_EQ("", differences(sample, 10));
}

TEST_F(Sample, HasNothingElseAndClaimsNothing) {
  Claim sample = claim();
  sample.exhausted = true;
  EXPECT_NE("", differences(sample));
  sample = claim();
  sample.outcomes.emplace(Outcome{"3;", 0, ""}, 0U);
  EXPECT_NE("", differences(sample));
  sample = claim();
  sample.schedules = 99;
  EXPECT_NE("", differences(sample));
}

} // namespace
} // namespace reex::model
