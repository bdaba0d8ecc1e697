// begin_guide resets all variables before the only execution of a detailed worker.
#include "reex/runtime/record/guide.h"

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"

namespace reex {
namespace {

std::uint32_t g_operations[k_max_created]; // visible operations executed, by thread
std::uint32_t g_first[k_max_created]; // first turn of the thread that has not passed: number + 1; 0: none
std::uint32_t g_next[k_max_turns];    // the next turn of the same thread, in the same form

// Returns the running thread's turn at this point and removes it; null if there is none.
const Turn* turn_here(ChoiceKind kind) {
  const std::uint16_t thread = g.current->id;
  const Turn* list = g.control->guide.list;
  std::uint32_t& first = g_first[thread];
  while (first != 0 && list[first - 1].operation < g_operations[thread]) first = g_next[first - 1];
  for (std::uint32_t i = first; i != 0 && list[i - 1].operation == g_operations[thread]; i = g_next[i - 1]) {
    if (list[i - 1].kind != kind) continue;
    first = g_next[i - 1];
    return &list[i - 1];
  }
  return nullptr;
}

} // namespace

void begin_guide() {
  Guide& guide = g.control->guide;
  guide.taken_count = 0;
  for (unsigned id = 0; id < k_max_created; ++id) g_operations[id] = g_first[id] = 0;
  for (std::uint32_t i = guide.count; i-- > 0;) {
    std::uint32_t& first = g_first[guide.list[i].thread % k_max_created];
    g_next[i] = first;
    first = i + 1;
  }
}

void count_for_guide(const Fiber& fiber) { ++g_operations[fiber.id]; }

void guide(const Candidates& candidates) {
  if (!g.control->guide.follow) return;
  const Turn* turn = turn_here(candidates.kind);
  if (turn == nullptr) return;
  for (unsigned rank = 1; rank < candidates.count; ++rank)
    if (candidates.thread[rank] == turn->to) search().plan_next(candidates, rank);
}

void note_turn(const Candidates& candidates, unsigned rank) {
  Guide& guide = g.control->guide;
  if (rank == 0 || guide.taken_count == k_max_turns) return;
  guide.taken[guide.taken_count++] = {.operation = g_operations[g.current->id],
                                      .thread = g.current->id,
                                      .to = candidates.thread[rank],
                                      .kind = candidates.kind};
}

} // namespace reex
