#include "reex/records/schedules.h"

#include <algorithm>

#include "reex/records/checked.h"

namespace reex {
namespace {
constexpr std::uint32_t k_most_rounds = 1u << 24;
} // namespace

std::vector<Choice> read_choices(const Choice* first, std::uint32_t count) {
  const Checked checked("choices");
  std::vector<Choice> copy;
  for (std::uint32_t i = 0; i < checked.at_most(count, k_max_decisions, "their number"); ++i) {
    copy.push_back(fetch(first[i]));
    checked.enumerator(copy.back().kind, k_last_choice_kind, "the kind of a choice");
  }
  return copy;
}

DecisionsCopy read_decisions(const Decisions& shared) {
  return {.list = read_choices(shared.list, fetch(shared.count)), .preemptions = fetch(shared.preemptions)};
}

std::vector<Turn> read_turns(const Guide& shared) {
  const Checked checked("guide");
  const std::uint32_t count = checked.at_most(fetch(shared.taken_count), k_max_turns, "the number of turns");
  std::vector<Turn> copy;
  for (std::uint32_t i = 0; i < count; ++i) {
    copy.push_back(fetch(shared.taken[i]));
    checked.enumerator(copy.back().kind, k_last_choice_kind, "the kind of a turn");
  }
  return copy;
}

std::vector<std::uint64_t> read_promoted(const Promoted& shared, std::uint32_t count) {
  return fetch_all(shared.pc,
                   Checked("promoted accesses").at_most(count, k_max_promoted, "the number of accesses"));
}

PromotedCopy read_promoted(const Promoted& shared) {
  const Checked checked("promoted accesses");
  return {.pcs = read_promoted(shared, fetch(shared.count)),
          .rounds = checked.at_most(fetch(shared.rounds), k_most_rounds, "the number of rounds"),
          .earlier = checked.at_most(fetch(shared.earlier), k_most_executions, "the executions before")};
}

void add_promoted(Promoted& shared, std::uint64_t pc) {
  const std::vector<std::uint64_t> known = read_promoted(shared, fetch(shared.count));
  if (known.size() == k_max_promoted || std::find(known.begin(), known.end(), pc) != known.end()) return;
  shared.pc[known.size()] = pc;
  shared.count = static_cast<std::uint32_t>(known.size()) + 1;
}

std::uint64_t read_failure_count(const KnownFailure (&shared)[k_known_failures], std::uint32_t index) {
  const Checked checked("known failures");
  checked.at_most(index, k_known_failures - 1, "the place of a failure");
  return checked.at_most(fetch(shared[index].count), k_most_executions, "the number of executions");
}

} // namespace reex
