// Whether one sample tends to be less than another.
//
// Source: Mann and Whitney 1947; for censored values Gehan 1965, in Mantel's form (1967). Effect size:
// Vargha and Delaney 2000; how to use both: Arcuri and Briand 2011. Several tests at once: Holm 1979.
//
// Each value of the pooled sample has a score: how many of the others are certainly less, minus how many are
// certainly greater. The statistic is the sum of the scores of one sample; its distribution is that over all
// ways to divide the pooled values. Without censored values this is the two-sided Mann-Whitney test, with
// ties.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "report/statistics/observation.h"

namespace reex {

// Up to so many values in both samples the distribution is counted out; beyond, it is the normal
// approximation with the variance of the scores, which takes in ties.
inline constexpr std::size_t k_exact_rank_test = 40;

struct RankTest {
  double p = 1; // two-sided
  bool exact = true;
};

// p is 1 if a sample is empty.
RankTest rank_test(std::span<const Observation> a, std::span<const Observation> b);

// The probability that a value of `a` is less than one of `b`, where half of the undecided pairs count; above
// 0.5: `a` tends to be less. 0.5 if a sample is empty.
double a12(std::span<const Observation> a, std::span<const Observation> b);

// The p-values, in the same order, adjusted by Holm's method.
std::vector<double> holm(const std::vector<double>& p_values);

} // namespace reex
