#include "report/statistics/bootstrap.h"

#include <algorithm>
#include <cstdint>

namespace reex {
namespace {

constexpr std::size_t k_draws = 2000;
constexpr std::size_t k_fewest = k_draws - k_draws / 10;

// SplitMix64 (Steele, Lea, Flood 2014).
class Numbers {
public:
  std::size_t below(std::size_t limit) {
    m_state += 0x9e3779b97f4a7c15;
    std::uint64_t bits = m_state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((bits ^ (bits >> 31)) % limit);
  }

private:
  std::uint64_t m_state = 1;
};

} // namespace

std::optional<Interval>
bootstrap(const std::vector<Sample>& samples,
          const std::function<std::optional<double>(const std::vector<Sample>&)>& statistic) {
  if (std::any_of(samples.begin(), samples.end(), [](const Sample& sample) { return sample.size() < 2; }))
    return std::nullopt;
  Numbers numbers;
  std::vector<double> values;
  std::vector<Sample> drawn = samples;
  for (std::size_t draw = 0; draw < k_draws; ++draw) {
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (Observation& one : drawn[i]) one = samples[i][numbers.below(samples[i].size())];
    if (const auto value = statistic(drawn)) values.push_back(*value);
  }
  if (values.size() < k_fewest) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t tail = values.size() / 40;
  return Interval{values[tail], values[values.size() - 1 - tail]};
}

} // namespace reex
