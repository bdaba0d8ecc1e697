// The variables of this file belong to the execution whose number they carry.
#include "reex/runtime/descriptors/untouched.h"

#include <cstdint>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/calls.h"
#include "reex/runtime/order/shadow_memory.h"

namespace reex {
namespace {

struct Made {
  int number;
  std::uint16_t maker;
  bool seen;
};
constexpr unsigned k_most = 32; // of others, closing counts as a change
Made g_untouched[k_most];
unsigned g_untouched_count = 0;
std::uint32_t g_untouched_execution = 0;

template <typename Condition>
void forget_if(Condition condition) {
  if (g_untouched_execution != g_execution) g_untouched_count = 0;
  g_untouched_execution = g_execution;
  for (unsigned i = g_untouched_count; i-- > 0;)
    if (condition(g_untouched[i])) g_untouched[i] = g_untouched[--g_untouched_count];
}

} // namespace

void note_made(const SystemCall& call, long made) {
  if (made < 0) return;
  const bool one = call.number != SYS_pipe && call.number != SYS_pipe2 && call.number != SYS_socketpair;
  const Fiber& self = *g.current;
  forget_if([&](Made& each) {
    if (each.maker != self.id && !self.spinning && (!one || each.number < made)) each.seen = true;
    return one && each.number == made;
  });
  if (call.number == SYS_socket && g_untouched_count < k_most)
    g_untouched[g_untouched_count++] = {static_cast<int>(made), self.id, false};
}

void touch(int descriptor) {
  forget_if([&](const Made& each) { return each.number == descriptor; });
}

void note_look(int descriptor) {
  forget_if([&](const Made& each) { return each.number == descriptor && each.maker != g.current->id; });
}

void touch_all() {
  forget_if([](const Made&) { return true; });
}

Untouched untouched(int descriptor) {
  if (g_untouched_execution != g_execution) return Untouched::no;
  for (unsigned i = 0; i < g_untouched_count; ++i)
    if (g_untouched[i].number == descriptor && g_untouched[i].maker == g.current->id)
      return g_untouched[i].seen ? Untouched::seen : Untouched::yes;
  return Untouched::no;
}

} // namespace reex
