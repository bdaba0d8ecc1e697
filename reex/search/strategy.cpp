#include "reex/search/strategy.h"

#include "reex/search/sampling.h"

namespace reex {
namespace {

// Sampling has no end of its own.
constexpr std::uint64_t k_samples = 10000;
constexpr std::uint64_t k_steps = 20000;
// Sampling is used for whole programs too; their executions are long but need no frontier.
constexpr std::uint64_t k_sample_steps = 200000;

constexpr StrategyRow exhaustive(SearchStrategy strategy, std::string_view name, std::string_view words) {
  return {strategy, name, words, nullptr, true, 0, k_steps};
}
constexpr StrategyRow sampling(SearchStrategy strategy, std::string_view name, std::string_view words,
                               const Sampler& sampler) {
  return {strategy,
          name,
          words,
          &sampler,
          false,
          k_samples,
          k_sample_steps,
          &sampler == &k_pct,
          &sampler == &k_surw,
          false,
          &sampler == &k_pct || &sampler == &k_urw || &sampler == &k_surw};
}

// In the order of SearchStrategy.
constexpr StrategyRow k_strategies[] = {
    exhaustive(SearchStrategy::icb, "icb",
               "iterative context bounding: 0, 1, 2, ... preemptions up to the bound"),
    exhaustive(SearchStrategy::dfs, "dfs", "depth first through all schedules within the bound"),
    sampling(SearchStrategy::random, "random",
             "random schedules from --seed, --schedules of them; claims no bound, nor do those below",
             k_random),
    sampling(SearchStrategy::pct, "pct", "random priorities that change at --depth - 1 random places (PCT)",
             k_pct),
    sampling(SearchStrategy::pos, "pos", "a random priority for each event, anew where events race (POS)",
             k_pos),
    sampling(SearchStrategy::urw, "urw", "a thread is as likely as it has operations left (URW)", k_urw),
    sampling(SearchStrategy::surw, "surw",
             "as urw, in the operations that --interesting names, a random order of the others (SURW)",
             k_surw),
    {SearchStrategy::automatic, "auto",
     "by turns icb and samples of surw, random and pos; claims what icb does (default)", nullptr, true, 0,
     k_steps, false, true, true, true},
};

} // namespace

StrategyTable strategies() { return {std::begin(k_strategies), std::end(k_strategies)}; }

const StrategyRow& row_of(SearchStrategy strategy) { return k_strategies[static_cast<unsigned>(strategy)]; }

} // namespace reex
