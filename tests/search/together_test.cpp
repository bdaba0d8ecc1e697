// Several heuristics together: a schedule stays in the CAPP iteration as long as one and the same of them
// keeps all its choices. Held against a walk over each execution that knows nothing of the search.
#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "tests/search/toy.h"

namespace reex::search_test {
namespace {

constexpr std::uint8_t k_one = k_match_line;
constexpr std::uint8_t k_other = k_match_field;
using Rules = std::vector<MatchRule>;
using RuleSet = std::set<std::size_t>; // by number

Prioritization together(const Rules& rules) {
  Prioritization by;
  by.others = static_cast<std::uint8_t>(rules.size() - 1);
  std::copy(rules.begin(), rules.end(), by.rule);
  return by;
}

Toy drawn(unsigned seed) {
  std::mt19937 random(seed);
  Toy toy(4);
  for (std::size_t thread = 1; thread < toy.size(); ++thread)
    for (unsigned events = 1 + random() % 3; events > 0; --events)
      toy[thread].push_back({.object = 1 + random() % 3,
                             .writes = random() % 2 == 0,
                             .bits = static_cast<std::uint8_t>((random() % 3 == 0 ? k_one : 0) |
                                                               (random() % 3 == 0 ? k_other : 0))});
  return toy;
}

// The threads that one rule keeps: dissertation, Figure 4.2.
std::set<std::size_t> kept(MatchRule rule, const std::vector<std::size_t>& enabled,
                           const std::vector<std::uint8_t>& bits) {
  std::set<std::size_t> all(enabled.begin(), enabled.end());
  const auto matches = [&](std::size_t i) { return (bits[i] & rule.mask) != 0; };
  std::size_t count = 0;
  for (std::size_t i = 0; i < enabled.size(); ++i) count += matches(i);
  if (rule.mode == PrioritizationMode::some) return count > 0 ? all : std::set<std::size_t>{enabled[0]};
  if (count == enabled.size()) return all;
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (!matches(i)) return {enabled[i]};
  return all;
}

struct Walk {
  unsigned iteration = 0;
  RuleSet put_off; // the rules that have put off an alternative
};

// `active`: the rules by which the search goes after the first execution, in which all take part. It stays in
// the first iteration to its end.
Walk walk(const Toy& toy, const std::string& execution, const Rules& rules, const RuleSet& active,
          const std::string& first) {
  Walk result;
  std::vector<unsigned> done(toy.size());
  RuleSet all;
  for (std::size_t i = 0; i < rules.size(); ++i) all.insert(i);
  RuleSet keep_all = all;
  bool with_first = true; // all choices so far are those of the first execution
  std::size_t current = 0;
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const auto next = static_cast<std::size_t>(execution[at] - '0');
    const bool parts = with_first && execution[at] != first[at];
    const auto is_enabled = [&](std::size_t thread) { return done[thread] < toy[thread].size(); };
    std::vector<std::size_t> enabled;
    if (is_enabled(current)) enabled.push_back(current);
    for (std::size_t thread = 0; thread < toy.size(); ++thread)
      if (thread != current && is_enabled(thread)) enabled.push_back(thread);
    std::vector<std::uint8_t> bits;
    for (const std::size_t thread : enabled) bits.push_back(toy[thread][done[thread]].bits);
    RuleSet keep_this;
    for (const std::size_t rule : with_first ? all : active) {
      if (is_enabled(current) && !kept(rules[rule], enabled, bits).contains(next)) continue;
      if (keep_all.contains(rule) && (!parts || active.contains(rule))) keep_this.insert(rule);
    }
    for (const std::size_t rule : all)
      if (is_enabled(current) && kept(rules[rule], enabled, bits).size() < enabled.size())
        result.put_off.insert(rule);
    if (keep_this.empty()) {
      ++result.iteration;
      keep_this = active;
    }
    keep_all = keep_this;
    with_first = with_first && !parts;
    ++done[next];
    current = next;
  }
  return result;
}

const Rules k_teams[] = {
    {{PrioritizationMode::all, k_one}, {PrioritizationMode::all, k_other}},
    {{PrioritizationMode::all, k_one}, {PrioritizationMode::some, k_other}},
    {{PrioritizationMode::some, k_one}, {PrioritizationMode::some, k_other}},
    {{PrioritizationMode::all, k_other}, {PrioritizationMode::all, k_one}, {PrioritizationMode::some, k_one}},
};

void each_iteration_has_what_one_keeps(bool keeps_idle) {
  std::set<unsigned> iterations;
  unsigned dropped = 0;
  for (unsigned seed = 0; seed < 300; ++seed)
    for (const Rules& rules : k_teams) {
      const Toy toy = drawn(seed);
      RuleSet active;
      for (std::size_t i = 0; i < rules.size(); ++i) active.insert(i);
      Prioritization by = together(rules);
      by.keeps_idle = keeps_idle;
      ToySearch search(toy, {.prioritization = by});
      std::vector<std::string> all;
      unsigned last = 0;
      for (std::string execution = search.next(); !execution.empty(); execution = search.next()) {
        if (all.empty() && !keeps_idle) // it shows what orders nothing
          if (const RuleSet put_off = walk(toy, execution, rules, active, execution).put_off;
              !put_off.empty()) {
            dropped += put_off.size() < active.size();
            active = put_off;
          }
        all.push_back(execution);
        const Walk walked = walk(toy, execution, rules, active, all.front());
        EXPECT_EQ(search.state().iteration, walked.iteration) << "seed " << seed << ", " << execution;
        EXPECT_GE(walked.iteration, last) << "seed " << seed << ", " << execution;
        last = walked.iteration;
        iterations.insert(last);
      }
      std::sort(all.begin(), all.end());
      EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "seed " << seed;
      ToySearch basic(toy, {});
      std::size_t count = 0;
      while (!basic.next().empty()) ++count;
      EXPECT_EQ(all.size(), count) << "seed " << seed;
    }
  EXPECT_GE(iterations.size(), 3U);
  EXPECT_EQ(dropped > 0, !keeps_idle);
}

TEST(Together, EachIterationHasWhatOneOfThemKeeps) { each_iteration_has_what_one_keeps(false); }

TEST(Together, WhatPutsOffNothingStaysIfItIsKept) { each_iteration_has_what_one_keeps(true); }

} // namespace
} // namespace reex::search_test
