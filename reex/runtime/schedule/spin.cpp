// Spins (semantics: "Spins"). A spin is found by these signs: the same instruction of a thread reads the same
// value of the same place for the third time, with only reads of this thread in between. Its registers and
// stack are what they were at the read before, and it has written nothing beyond its own stack since. Then
// the loop would never end. Counted loops of loads differ in their counter, so they are not spins.
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

bool in_own_frames(const Fiber& self, const void* object) {
  return self.pending.operation == Operation::plain_write && object >= self.pending.frame &&
         object < stack_end(self);
}

} // namespace

void end_spin(Fiber& fiber) {
  if (fiber.spinning) --g.spinning;
  fiber.spinning = false;
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
    self.spin[self.spin_reads++] = {self.pending.pc, object, value, 0, 1, self.writes};
    return;
  }
  ++slot->count;
  const std::uint64_t state = state_of(self);
  const bool same_state = slot->state == state && slot->writes == self.writes;
  slot->state = state;
  slot->writes = self.writes;
  if ((slot->count >= k_spin_reads && same_state) || slot->count >= k_spin_reads_any_state) {
    if (!self.spinning) {
      ++g.spinning;
      if (g_telling_events) tell_spin(self);
    }
    self.spinning = true;
  }
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
