#include "reex/run/gap.h"

#include <algorithm>

#include "reex/run/result.h"

namespace reex {
namespace {

std::string executions(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " execution" : " executions");
}

} // namespace

const char* to_string(GapEffect effect) {
  switch (effect) {
  case GapEffect::told:
    return "told";
  case GapEffect::claims:
    return "claims";
  case GapEffect::verdict:
    break;
  }
  return "verdict";
}

GapEffect effect_of(const std::vector<Gap>& gaps) {
  GapEffect effect = GapEffect::told;
  for (const Gap& gap : gaps) effect = std::max(effect, gap.effect);
  return effect;
}

std::vector<Gap> gaps_of(const Inconclusive& open) {
  const std::string first = open.example.empty() ? "" : "; the first " + open.example;
  std::vector<Gap> gaps;
  const auto add = [&](std::uint64_t count, const char* kind, const std::string& what, const char* remedy,
                       GapEffect effect = GapEffect::verdict) {
    if (count != 0) gaps.push_back({kind, what, remedy, effect});
  };
  add(open.step_limit - open.livelock, "step-limit",
      executions(open.step_limit - open.livelock) + " ended at the step limit" + first,
      "--max-steps N gives more");
  add(open.livelock, "spinning",
      executions(open.livelock) + " ended at the step limit, and only threads that seem to spin were left" +
          first,
      "--max-steps N gives more, if they do not wait for ever");
  add(open.memory_limit, "memory-limit", executions(open.memory_limit) + " ended at the memory limit" + first,
      "--memory-limit SIZE gives more");
  add(open.watchdog, "no-progress", executions(open.watchdog) + " made no progress" + first,
      "--hang-after TIME gives more");
  add(open.loops_cut, "loops",
      "in " + executions(open.loops_cut) +
          ", a loop that reads the same again and again was left after 10,000 operations: what lies behind "
          "it is not known",
      "a thread that waits should block, or call sched_yield", GapEffect::claims);
  return gaps;
}

std::vector<Gap> all_gaps(const TestRun& run) {
  std::vector<Gap> gaps = gaps_of(run.inconclusive);
  const bool has_unseen_code =
      std::any_of(run.gaps.begin(), run.gaps.end(), [](const Gap& gap) { return gap.kind == "unseen-code"; });
  for (Gap& gap : gaps)
    if (has_unseen_code && gap.kind == "spinning")
      gap.remedy = "compile all code with `reex flags`: beside code without hooks, no livelock is claimed";
  gaps.insert(gaps.end(), run.gaps.begin(), run.gaps.end());
  return gaps;
}

} // namespace reex
