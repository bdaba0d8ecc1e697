// The strategies, one row each. What the command line, the reports and the search ask of a strategy stands in
// its row. Freestanding: used by the parent process and inside the test.
#pragma once

#include <cstdint>
#include <string_view>

namespace reex {

struct Sampler; // search/sampling.h

enum class SearchStrategy : std::uint8_t { icb, dfs, random, pct, pos, urw, surw };

// Which events SURW is uniform in: those of one shared object, or those at code points a change impacts.
enum class Interesting : std::uint8_t { shared, impacted };

struct StrategyRow {
  SearchStrategy strategy;
  std::string_view name;
  std::string_view description; // one line
  const Sampler* sampler;       // null: exhaustive, keeps a frontier and claims bounds
  // What holds where the user does not say.
  bool bounded;                // by the default of --bound
  std::uint64_t max_schedules; // 0: no limit
  std::uint64_t max_steps;     // visible operations of one execution
  // Which options are its own.
  bool takes_depth = false;
  bool takes_interesting = false;

  bool samples() const { return sampler != nullptr; }
};

struct StrategyTable {
  const StrategyRow* first;
  const StrategyRow* last;
  const StrategyRow* begin() const { return first; }
  const StrategyRow* end() const { return last; }
};

StrategyTable strategies();
const StrategyRow& row_of(SearchStrategy strategy);

} // namespace reex
