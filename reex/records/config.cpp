#include "reex/records/config.h"

#include <cstring>

#include "reex/records/checked.h"

namespace reex {

namespace {
constexpr Checked k_checked("configuration");
} // namespace

RunConfig read_config(const RunConfig& shared) {
  const RunConfig copy = fetch(shared);
  k_checked.enumerator(copy.task, Task::replay, "the task");
  k_checked.enumerator(copy.isolation, IsolationMode::fork, "the isolation");
  k_checked.enumerator(copy.accesses, VisibleAccesses::all, "the visible accesses");
  for (const bool* flag : {&copy.races, &copy.promotes, &copy.timeouts, &copy.sleeps_any, &copy.spurious,
                           &copy.reuse, &copy.code_is_entered, &copy.collect_outcomes})
    k_checked.flag(*flag, "an option");
  k_checked.enumerator(copy.search.strategy, SearchStrategy::automatic, "the strategy");
  if (copy.search.prioritization.count() > k_most_rules) k_checked.damaged("the heuristics");
  k_checked.enumerator(copy.search.reduction, Reduction::happens_before, "the reduction");
  return copy;
}

ConfigSeal::ConfigSeal(const RunConfig& shared) : m_sealed(true) {
  std::memcpy(m_bytes.data(), &shared, sizeof shared);
}

void ConfigSeal::check(const RunConfig& shared) const {
  std::array<char, sizeof(RunConfig)> now;
  std::memcpy(now.data(), &shared, sizeof shared);
  end_of_copy();
  if (m_sealed && now != m_bytes) k_checked.damaged("it is not what reex wrote there");
}

} // namespace reex
