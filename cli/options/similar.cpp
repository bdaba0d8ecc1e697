#include "cli/options/similar.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace reex {
namespace {

// Underscores and hyphens are the same: REEX_KEEP_GOING and keep-going differ by nothing.
std::string plain(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace

std::size_t edit_distance(std::string_view one, std::string_view other) {
  // Three rows of the usual table: a swap looks back by two.
  std::vector<std::size_t> before(other.size() + 1);
  std::vector<std::size_t> above(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t changed = one[i - 1] == other[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + changed});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[other.size()];
}

std::string most_similar(std::string_view word, std::span<const std::string> candidates) {
  const std::string wanted = plain(word);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, plain(candidate));
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates,
                         const std::string& otherwise) {
  const std::string similar = most_similar(word, candidates);
  return similar.empty() ? otherwise : "did you mean " + similar + "?";
}

} // namespace reex
