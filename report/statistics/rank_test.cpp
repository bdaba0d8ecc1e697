#include "report/statistics/rank_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace reex {
namespace {

std::vector<int> scores_of(const Sample& pooled) {
  std::vector<int> scores(pooled.size());
  for (std::size_t i = 0; i < pooled.size(); ++i)
    for (const Observation& other : pooled) scores[i] += certain_order(pooled[i], other);
  return scores;
}

// The part of all choices of `size` scores whose sum is as far from 0 as `sum`. ways[k][s]: how many choices
// of k scores have the sum s - offset.
double exact_p(const std::vector<int>& scores, std::size_t size, int sum) {
  const int offset =
      std::accumulate(scores.begin(), scores.end(), 0, [](int all, int one) { return all + std::abs(one); });
  const std::size_t sums = 2 * static_cast<std::size_t>(offset) + 1;
  std::vector<std::vector<double>> ways(size + 1, std::vector<double>(sums));
  ways[0][static_cast<std::size_t>(offset)] = 1;
  for (const int score : scores)
    for (std::size_t k = size; k > 0; --k)
      for (int s = -offset; s <= offset; ++s)
        if (const int from = s - score; from >= -offset && from <= offset)
          ways[k][static_cast<std::size_t>(s + offset)] +=
              ways[k - 1][static_cast<std::size_t>(from + offset)];
  double all = 0;
  double as_far = 0;
  for (int s = -offset; s <= offset; ++s) {
    const double count = ways[size][static_cast<std::size_t>(s + offset)];
    all += count;
    if (std::abs(s) >= std::abs(sum)) as_far += count;
  }
  return as_far / all;
}

double normal_p(const std::vector<int>& scores, std::size_t size, int sum) {
  const auto n = static_cast<double>(scores.size());
  const auto m = static_cast<double>(size);
  double squares = 0;
  for (const int score : scores) squares += static_cast<double>(score) * score;
  const double variance = m * (n - m) / (n * (n - 1)) * squares;
  if (variance <= 0) return 1;
  // Scores change in steps of two where a pair changes its order.
  const double distance = std::max(0.0, std::abs(static_cast<double>(sum)) - 1);
  return std::erfc(distance / std::sqrt(2 * variance));
}

} // namespace

RankTest rank_test(std::span<const Observation> a, std::span<const Observation> b) {
  if (a.empty() || b.empty()) return {};
  Sample pooled(a.begin(), a.end());
  pooled.insert(pooled.end(), b.begin(), b.end());
  const std::vector<int> scores = scores_of(pooled);
  const int sum = std::accumulate(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(a.size()), 0);
  const bool exact = pooled.size() <= k_exact_rank_test;
  return {exact ? exact_p(scores, a.size(), sum) : normal_p(scores, a.size(), sum), exact};
}

double a12(std::span<const Observation> a, std::span<const Observation> b) {
  if (a.empty() || b.empty()) return 0.5;
  double less = 0;
  for (const Observation& one : a)
    for (const Observation& other : b) less += 0.5 - 0.5 * certain_order(one, other);
  return less / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, p_values[order[i]] * static_cast<double>(order.size() - i)));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

} // namespace reex
