// All variables belong to one execution: begin_dependence and note_child reset what it uses.
#include "reex/runtime/order/dependence.h"

#include <cstring>

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/fingerprint.h"

namespace reex {
namespace {

struct Kinship {
  std::uint64_t before; // threads whose operations so far were all before its first one
  std::uint64_t ended;  // threads that it knows to have ended, by joins
  std::uint32_t born;   // threads that were created before it, with main
};

Kinship g_kinship[k_apart_threads]; // by number
std::uint64_t g_joins[k_apart_threads];
std::uint64_t g_masters; // threads that have created or joined others
std::uint32_t g_born;    // threads created so far, with main

bool is_counted(const Fiber& fiber) { return fiber.id < k_apart_threads; }

// Slots and numbers of threads depend on the order of their creations and joins.
void is_master() {
  const std::uint32_t self = g.current->id;
  search().depend(self, g_masters);
  if (is_counted(*g.current)) g_masters |= thread_bit(self);
}

} // namespace

void begin_dependence() {
  g_kinship[0] = {};
  g_masters = 0;
  g_born = 1;
}

void depend_by_use(Users& users, bool writes) {
  if (!is_counted(*g.current)) return depend_on_all();
  const std::uint32_t self = g.current->id;
  const Kinship& kin = g_kinship[self];
  std::uint64_t others = users.threads & ~thread_bit(self) & ~kin.ended;
  if (users.born <= kin.born) others &= ~kin.before;
  if (others != 0 && (writes || users.written)) search().depend(self, others);
  users.threads |= thread_bit(self);
  users.born = g_born;
  users.written = users.written || writes;
}

void depend_on(const Fiber& other) {
  if (is_counted(other))
    search().depend(g.current->id, thread_bit(other.id));
  else
    depend_on_all();
}

void depend_on_all() {
  if (g_fingerprinting) search().depend_on_all();
}

void note_child(const Fiber& child) {
  is_master();
  search().has_threads(child.id + 1u);
  if (!is_counted(child) || !is_counted(*g.current)) return depend_on_all();
  const Kinship& parent = g_kinship[g.current->id];
  g_kinship[child.id] = {
      .before = parent.ended | thread_bit(g.current->id), .ended = parent.ended, .born = g_born};
  ++g_born;
}

void note_ended(const Fiber& joined) {
  is_master();
  if (!is_counted(joined) || !is_counted(*g.current)) return depend_on_all();
  g_kinship[g.current->id].ended |= g_kinship[joined.id].ended | thread_bit(joined.id);
}

const std::uint64_t* joins() {
  memset(g_joins, 0, sizeof g_joins);
  for (const Fiber* fiber : alive())
    if (is_counted(*fiber) && fiber->joins != nullptr && is_counted(*fiber->joins))
      g_joins[fiber->id] = thread_bit(fiber->joins->id);
  return g_joins;
}

} // namespace reex
