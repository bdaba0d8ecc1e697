// The table of strategies, one row each. The command line, the reports and the search find in a row all that
// they need to know about a strategy.
//
// Callers: the parent process and code inside the test; freestanding. The table is constant.
#pragma once

#include <cstdint>
#include <string_view>

namespace reex {

struct Sampler; // sampling.h

enum class SearchStrategy : std::uint8_t { icb, dfs, random, pct, pos, urw, surw, automatic };

// The events whose interleavings SURW samples uniformly: those on one shared object, or those at code points
// that a change impacts.
enum class Interesting : std::uint8_t { shared, impacted };

// The most visible operations of the first execution, if the user gives no limit: five to fifteen seconds of
// work.
inline constexpr std::uint64_t k_first_max_steps = 32000000;
// After so many, others have their turn first: a quarter of a second of work.
inline constexpr std::uint64_t k_first_gives_way_after = 250000;

struct StrategyRow {
  SearchStrategy strategy;
  std::string_view name;
  std::string_view description; // one line
  const Sampler* sampler;       // null: the strategy has a frontier and claims bounds
  // Values that hold if the user gives none.
  bool bounded;                // whether the default of --bound applies
  std::uint64_t max_schedules; // 0: no limit
  std::uint64_t max_steps;     // most visible operations of one execution, if the first is no longer
  // Options that only some strategies take.
  bool takes_depth = false;
  bool takes_interesting = false;
  // By turns, schedules of the frontier in the order of icb and samples (turns.h).
  bool takes_turns = false;

  bool learns = false; // its samples depend on what executions before have shown

  bool samples() const { return sampler != nullptr; }
};

struct StrategyTable {
  const StrategyRow* first;
  const StrategyRow* last;
  const StrategyRow* begin() const { return first; }
  const StrategyRow* end() const { return last; }
};

inline constexpr SearchStrategy k_default_strategy = SearchStrategy::automatic;

StrategyTable strategies();
const StrategyRow& row_of(SearchStrategy strategy);

} // namespace reex
