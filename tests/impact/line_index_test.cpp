// The index of a file's lines, held against a look at each fact, on files that are drawn.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "impact/analysis.h"
#include "impact/line_index.h"

namespace reex::test {
namespace {

using namespace impact;

constexpr unsigned k_lines = 40;

class Drawn {
public:
  explicit Drawn(unsigned seed) : m_random(seed) {
    functions(1, k_lines, 0);
    for (int i = 0; i < 12; ++i) {
      const auto [first, last] = range(1, k_lines);
      const auto [from, to] = range(first, last);
      StatementLines lines;
      for (unsigned line = first; line <= last; line += 1 + below(3)) lines.insert(line);
      facts.statements.insert(lines);
      facts.values.insert({.set_on = lines, .used_on = {}});
      facts.decisions.insert({from, to, first, last, last, below(2) == 0});
      facts.regions.insert({from, last, "lock", to});
      facts.writes.insert({from, to, from, 1, {"Class", "field" + std::to_string(below(4))}, below(2) == 0});
    }
  }

  FileFacts facts;

private:
  unsigned below(unsigned end) { return static_cast<unsigned>(m_random() % end); }

  std::pair<unsigned, unsigned> range(unsigned first, unsigned last) {
    const unsigned begin = first + below(last - first + 1);
    return {begin, begin + below(last - begin + 1)};
  }

  // Side by side and in each other, also on one line.
  void functions(unsigned first, unsigned last, unsigned depth) {
    for (unsigned begin = first + below(3); begin <= last && depth < 4; begin += below(3)) {
      const unsigned end = begin + below(last - begin + 1);
      facts.functions.insert({.extent = {begin, 4 * depth + below(4), end, 40 - depth * 4 + below(4)},
                              .class_name = "",
                              .method = "function" + std::to_string(below(1000)),
                              .usr = "",
                              .lambda = below(3) == 0});
      functions(begin, end, depth + 1);
      begin = end;
    }
  }

  std::mt19937 m_random;
};

// What the facts say of a line one by one: `says` tells whether it belongs to one of them.
template <typename Item, typename Says>
std::vector<const Item*> those(const std::set<Item>& facts, const Says& says) {
  std::vector<const Item*> found;
  for (const Item& item : facts)
    if (says(item)) found.push_back(&item);
  return found;
}

void expect_as_the_facts_say(const FileFacts& facts, unsigned line, LineIndexes& indexes) {
  const LineIndex::Line& at = indexes.at(facts, line);
  EXPECT_EQ(at.function, function_at(facts, line, false));
  EXPECT_EQ(at.named, function_at(facts, line, true));
  const auto within_lines = [line](unsigned first, unsigned last) { return first <= line && line <= last; };
  EXPECT_EQ(at.statements, those(facts.statements, [&](const auto& one) { return one.contains(line); }));
  EXPECT_EQ(at.values, those(facts.values, [&](const auto& one) { return one.set_on.contains(line); }));
  EXPECT_EQ(at.decisions,
            those(facts.decisions, [&](const auto& one) { return within_lines(one.from, one.to); }));
  EXPECT_EQ(at.loops, those(facts.decisions,
                            [&](const auto& one) { return one.loop && within_lines(one.first, one.last); }));
  EXPECT_EQ(at.regions,
            those(facts.regions, [&](const auto& one) { return within_lines(one.first, one.taken); }));
  EXPECT_EQ(at.writes,
            those(facts.writes, [&](const auto& one) { return within_lines(one.first, one.last); }));
}

TEST(LineIndex, SaysWhatTheFactsSay) {
  unsigned in_functions = 0;
  LineIndexes indexes;
  std::vector<std::unique_ptr<Drawn>> files;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    files.push_back(std::make_unique<Drawn>(seed));
    const FileFacts& facts = files.back()->facts;
    for (unsigned line = 0; line <= k_lines + 1 && !HasFailure(); ++line) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", line " + std::to_string(line));
      expect_as_the_facts_say(facts, line, indexes);
      in_functions += indexes.at(facts, line).function == nullptr ? 0 : 1;
    }
  }
  EXPECT_GT(in_functions, 1000U);
}

} // namespace
} // namespace reex::test
