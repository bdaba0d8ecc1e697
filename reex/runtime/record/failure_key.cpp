// The key of a failure within a run is made from addresses. The parent makes the stable key from names.
#include "reex/runtime/record/failure_key.h"

#include <string_view>

#include "reex/frameworks/framework.h"
#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

constexpr unsigned k_key_frames = 8;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3 + (hash >> 23);
}

std::uint64_t hash_of(Operation operation, void* pc) {
  return mix(mix(1, static_cast<std::uint64_t>(operation)), reinterpret_cast<std::uint64_t>(pc));
}

// Of a thread that spins, the reads of its loop, wherever in the loop it stands.
std::uint64_t operations_of(const Fiber& fiber) {
  if (!fiber.spinning) return hash_of(fiber.pending.operation, fiber.pending.pc);
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < fiber.spin_reads; ++i)
    if (in_loop(fiber, fiber.spin[i])) sum += hash_of(fiber.spin[i].operation, fiber.spin[i].pc);
  return sum;
}

// A framework prints file and line of each check that fails, and ends in one place.
std::uint64_t hash_of_failed_check() {
  const Outcomes& outcomes = g.control->outcomes;
  const std::string_view output(outcomes.text + outcomes.text_used, read_output(1, outcomes.text_used));
  const FailedCheck check = first_failed_check(g.control->config.framework, output);
  if (check.mark == std::string_view::npos) return 0;
  std::uint64_t hash = 1;
  for (const char c : check.place) hash = mix(hash, static_cast<unsigned char>(c));
  return hash;
}

} // namespace

std::uint64_t failure_key(const Ending& ending) {
  if (!is_failure(ending)) return 0;
  std::uint64_t key = mix(mix(0xcbf29ce484222325, static_cast<std::uint64_t>(ending.end)),
                          static_cast<std::uint64_t>(ending.value));
  if (is_standstill(ending.end)) { // the waiting operations, whichever threads wait
    std::uint64_t sum = 0;
    for (const Fiber* fiber : alive()) sum += operations_of(*fiber);
    return mix(key, sum);
  }
  if (ending.end == End::exited) key = mix(key, hash_of_failed_check());
  if (ending.end == End::assertion) // the compiler may make one call of two
    for (const char* c = ending.message; *c != 0; ++c) key = mix(key, static_cast<unsigned char>(*c));
  std::uint64_t pcs[k_key_frames];
  const unsigned count = walk_stack(pcs, k_key_frames);
  for (unsigned i = 0; i < count; ++i) key = mix(key, pcs[i]);
  return key;
}

} // namespace reex
