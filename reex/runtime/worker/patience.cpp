#include "reex/runtime/worker/patience.h"

#include <algorithm>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/core/virtual_time.h"
#include "reex/runtime/worker/step_limit.h"

namespace reex {
namespace {

constexpr std::uint64_t k_first = 100000; // operations
constexpr std::uint64_t k_least = 10000;  // of the later executions
constexpr unsigned k_slices_bits = 20;    // of the word in the status; the rest is the round
constexpr std::uint32_t k_most_slices = (1u << (k_slices_bits - 1)) - 2;

bool learns() {
  const RunConfig& config = g.control->config;
  return config.learns_patience && config.slice != 0;
}

std::uint32_t slices_of(std::uint64_t operations) {
  // An execution whose patience is at an end must not be near its limit.
  const std::uint64_t slices = std::min(operations, step_limit() / 2) / g.control->config.slice;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(slices, k_most_slices));
}

// What is known holds for one round of the search: the next has other visible operations. Another worker may
// be in a later round already; then nothing is known of this one any more.
constexpr std::uint32_t k_rounds = 1u << (32 - k_slices_bits);
std::uint32_t rounds_to(std::uint32_t word) { // from the one that this worker knows
  return ((word >> k_slices_bits) - g.control->own.round) % k_rounds;
}
bool is_of_later_round(std::uint32_t word) {
  return word != 0 && rounds_to(word) != 0 && rounds_to(word) < k_rounds / 2;
}

std::uint32_t known() {
  const std::uint32_t word = g.shared->status.patience.load();
  return rounds_to(word) == 0 ? word & ((1u << k_slices_bits) - 1) : 0;
}

// False: a later round has begun.
bool know(std::uint32_t slices) {
  std::atomic<std::uint32_t>& patience = g.shared->status.patience;
  std::uint32_t word = patience.load();
  do
    if (is_of_later_round(word)) return false;
  while (!patience.compare_exchange_weak(word, g.control->own.round << k_slices_bits | (slices + 1)));
  return true;
}

} // namespace

std::uint32_t patience() {
  const RunConfig& config = g.control->config;
  if (config.task == Task::replay || !learns()) return config.patience;
  if (g.detail) return g.control->failure.ending.patience;
  if (g.control->check.running) return g.control->check.end[0].patience; // which must do the same
  const bool is_impatient = known() == 1;
  // Nobody knows how long the first execution is. A short limit must not make time pass beside its work.
  if (!is_impatient && has_given_way()) return k_most_slices;
  if (known() != 0) return known() - 1;
  return slices_of(k_first);
}

void learn_patience() {
  if (!learns() || known() != 0) return;
  know(std::max(slices_of(std::max<std::uint64_t>(2 * std::uint64_t{g.step}, k_least)),
                2 * g_time.stood_most));
}

void lose_patience() {
  if (g.control->config.task == Task::replay || !learns() || g.detail || known() != 0) return;
  if (!g.control->check.running && know(0)) throw_away(End::impatient, "");
}

} // namespace reex
