#include "reex/runtime/record/match.h"

#include <linux/futex.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/process.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/modules.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

const PcBits* find(std::uint64_t pc) {
  const PcTable& table = g.control->pcs;
  for (std::uint64_t i = pc * 0x9e3779b97f4a7c15 >> 48;; ++i) {
    const PcBits& entry = table.entry[i % k_pc_table_size];
    const std::uint64_t key = entry.pc.load(std::memory_order_acquire);
    if (key == pc) return &entry;
    if (key == 0) return nullptr;
  }
}

// Asks the parent the first time for each address, and if its answer did not know as many places.
const PcBits& look_up(std::uint64_t pc, std::uint8_t places = 0) {
  if (const PcBits* known = find(pc); known != nullptr && known->places.load() >= places) return *known;
  PcTable& table = g.control->pcs;
  const std::uint32_t before = table.answered.load();
  table.request.store(pc);
  ring_doorbell();
  while (table.answered.load() == before)
    raw_syscall(SYS_futex, as_long(&table.answered), FUTEX_WAIT, before, 0);
  const PcBits* answer = find(pc);
  if (answer == nullptr) internal_error("the parent gave no answer about a program counter");
  return *answer;
}

} // namespace

// matchICPs of Figure 4.2: the program counter is that of the innermost user frame; the stack is all frames
// with this one.
std::uint8_t match_bits(Fiber& fiber) {
  if (fiber.match_bits_known) return fiber.match_bits;
  std::uint8_t bits = 0;
  bool found_user = false;
  const auto add = [&](std::uint64_t pc) {
    const PcBits& of = look_up(pc);
    if (!found_user && of.has_user_frame) {
      found_user = true;
      bits |= of.user_bits;
    }
    bits |= of.on_stack;
  };
  for (unsigned i = 0; i < fiber.outer_count; ++i) add(fiber.outer[i]);
  if (fiber.outer_count == 0) add(reinterpret_cast<std::uint64_t>(fiber.pending.pc));
  void** const top = &fiber == g.current ? g_shadow_top : fiber.shadow_top;
  for (void** call = top; call > fiber.shadow_base;) add(reinterpret_cast<std::uint64_t>(*--call));
  fiber.match_bits = bits;
  fiber.match_bits_known = true;
  return bits;
}

PlaceBits place_bits(const Fiber& self, std::uint8_t places) {
  PlaceBits bits;
  bool found_user = false;
  const auto add = [&](std::uint64_t pc) {
    const PcBits& of = look_up(pc, places);
    if (!found_user && of.has_user_frame) {
      found_user = true;
      bits.in = of.in;
    }
    bits.from |= of.from;
  };
  for (unsigned i = 0; i < self.outer_count; ++i) add(self.outer[i]);
  if (self.outer_count == 0) add(reinterpret_cast<std::uint64_t>(self.pending.pc));
  for (void** call = g_shadow_top; call > self.shadow_base;) add(reinterpret_cast<std::uint64_t>(*--call));
  return bits;
}

// If a system library made the call, the instrumented frame that called the library is found by unwinding,
// which only the fiber itself can do. With a shadow stack, the unwinding stops at that frame; without one, it
// collects all frames.
void find_outer_frames(Fiber& self) {
  self.outer_count = 0;
  const bool instrumented = g_shadow_top > self.shadow_base;
  const auto pc = reinterpret_cast<std::uint64_t>(self.pending.pc);
  if (pc == 0 || (instrumented && !in_system_library(pc))) return;
  std::uint64_t pcs[k_outer_frames];
  const unsigned count = walk_stack(pcs, k_outer_frames);
  for (unsigned i = 0; i < count; ++i) {
    self.outer[self.outer_count++] = pcs[i];
    if (instrumented && !in_system_library(pcs[i])) return;
  }
}

} // namespace reex
