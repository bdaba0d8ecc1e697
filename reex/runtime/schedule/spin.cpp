// Spins (semantics: "Spins"). A spin is found by these signs: the same instruction of a thread reads the same
// value of the same place for the third time, with only reads of this thread in between. Its registers and
// stack are what they were at the read before, and it has written nothing beyond its own stack since. Then
// the loop would never end. Counted loops of loads differ in their counter, so they are not spins. After many
// equal reads a loop is suspected all the same; the scheduler lets it go on where the search chooses so.
#include "reex/runtime/schedule/spin.h"
#include "reex/runtime/core/running.h"
#include "reex/runtime/core/visible.h"
#include "reex/runtime/record/events.h"
#include "reex/runtime/threads/fiber.h"

namespace reex {
namespace {

constexpr std::size_t k_pushed_words = 7; // return address, rbp, r15, r14, r13, r12, rbx
// Bytes of the stack above the reading frame. What lies beyond belongs to callers that wait.
constexpr std::size_t k_hashed_stack = 16 << 10;

std::uint64_t hash_words(const std::uint64_t* from, const std::uint64_t* to, std::uint64_t hash) {
  for (; from < to; ++from) hash = (hash ^ *from) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash;
}

// The state that decides how the thread continues: its callee-saved registers, and the stack above them.
// Hooks of reads push these registers right below their return address (REEX_READ_POINT).
std::uint64_t state_of(const Fiber& self) {
  const auto* frame = static_cast<const std::uint64_t*>(self.pending.frame);
  const auto* high = reinterpret_cast<const std::uint64_t*>(stack_end(self));
  if (frame + k_hashed_stack / 8 < high) high = frame + k_hashed_stack / 8;
  return hash_words(frame - k_pushed_words, high, reinterpret_cast<std::uint64_t>(self.shadow_top));
}

void begin_spin(Fiber& self, Loop loop) {
  if (!self.spinning) {
    ++g.spinning;
    if (g_telling_events) tell_spin(self);
  }
  self.spinning = true;
  if (loop == Loop::proven || self.loop == Loop::none) self.loop = loop;
}

// While a loop goes on, its state is hashed at two reads in a row of so many: hashing is most of the cost.
constexpr std::uint32_t k_reads_per_hash = 32;

bool is_hashed(const Fiber& self, const SpinRead& read) {
  return self.loop != Loop::going_on || read.count % k_reads_per_hash < 2;
}

bool in_own_frames(const Fiber& self, const void* object) {
  return self.pending.operation == Operation::plain_write && object >= self.pending.frame &&
         object < stack_end(self);
}

} // namespace

void end_spin(Fiber& fiber) {
  if (fiber.spinning) --g.spinning;
  fiber.spinning = false;
  fiber.loop = Loop::none;
  fiber.spin_reads = 0;
}

void note_read(void* object, std::uint64_t value) {
  if (!g.controlled || g.fibers < 2) return;
  Fiber& self = *g.current;
  if (g_wrote) ++self.writes;
  g_wrote = false;
  SpinRead* slot = nullptr;
  for (unsigned i = 0; i < self.spin_reads; ++i)
    if (self.spin[i].pc == self.pending.pc && self.spin[i].object == object) slot = &self.spin[i];
  if (slot != nullptr && slot->value != value) { // a change: all counts begin again
    end_spin(self);
    slot = nullptr;
  }
  if (slot == nullptr) {
    if (self.spin_reads == k_spin_window) end_spin(self);
    self.spin[self.spin_reads++] = {
        self.pending.pc, object,           value, 0,        1,
        self.writes,     self.clock_reads, 0,     g.unrest, self.pending.operation};
    return;
  }
  ++slot->count;
  if (!is_hashed(self, *slot)) return;
  const std::uint64_t state = state_of(self);
  const bool same_state = slot->state == state && slot->writes == self.writes;
  const bool calm = same_state && slot->clock_reads == self.clock_reads && slot->unrest == g.unrest;
  slot->state = state;
  slot->writes = self.writes;
  slot->clock_reads = self.clock_reads;
  slot->unrest = g.unrest;
  slot->calm_turns = calm ? slot->calm_turns + 1 : 0;
  if (slot->count >= k_spin_reads && same_state)
    begin_spin(self, Loop::proven);
  else if (slot->count >= k_spin_reads_any_state)
    begin_spin(self, Loop::suspected);
}

bool waits_for_ever(const Fiber& fiber) {
  bool calm = false;
  for (unsigned i = 0; i < fiber.spin_reads; ++i) {
    const SpinRead& read = fiber.spin[i];
    // Where other processes may exist, descriptors and children are theirs too.
    if (!g.in_place && reinterpret_cast<std::uint64_t>(read.object) < k_plain_numbers) return false;
    calm = calm || (read.unrest == g.unrest && read.calm_turns >= k_calm_turns);
  }
  return fiber.loop == Loop::proven && calm;
}

void note_next_operation(Fiber& fiber) {
  const Pending& next = fiber.pending;
  if (next.operation == Operation::yield || next.operation == Operation::sleep)
    return; // a pause within the loop
  for (unsigned i = 0; i < fiber.spin_reads; ++i)
    if (fiber.spin[i].pc == next.pc && fiber.spin[i].object == next.object) return;
  end_spin(fiber);
}

void note_write(void* object) {
  if (!g.controlled) return;
  // A write to the thread's own frames is part of the state that decides about a spin.
  if (!in_own_frames(*g.current, object)) end_spin(*g.current);
  if (g.spinning == 0) return;
  for (unsigned id = 0; id < g.fibers; ++id) {
    Fiber& fiber = g_fibers[id];
    if (!fiber.spinning) continue;
    for (unsigned i = 0; i < fiber.spin_reads; ++i)
      if (fiber.spin[i].object == object) {
        end_spin(fiber);
        break;
      }
  }
}

} // namespace reex
