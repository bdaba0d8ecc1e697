#include "reex/runtime/order/dependence.h"

#include <cstring>

#include "reex/runtime/core/process.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/fingerprint.h"

namespace reex {
namespace {

std::uint64_t g_joins[k_apart_threads]; // scratch space

bool is_counted(std::uint32_t thread) { return thread < k_apart_threads; }

} // namespace

void Dependence::begin() {
  m_kinship[0] = {};
  m_masters = 0;
  m_born = 1;
}

// Slots and numbers of threads depend on the order of their creations and joins.
void Dependence::is_master(std::uint32_t self) {
  search().depend(self, m_masters);
  if (is_counted(self)) m_masters |= thread_bit(self);
}

void Dependence::use(std::uint32_t self, Users& users, bool writes) {
  if (!is_counted(self)) return on_all();
  const Kinship& kin = m_kinship[self];
  std::uint64_t others = users.threads & ~thread_bit(self) & ~kin.ended;
  if (users.born <= kin.born) others &= ~kin.before;
  if (others != 0 && (writes || users.written)) search().depend(self, others);
  users.threads |= thread_bit(self);
  users.born = m_born;
  users.written = users.written || writes;
}

void Dependence::on(std::uint32_t self, std::uint32_t other) {
  if (is_counted(other))
    search().depend(self, thread_bit(other));
  else
    on_all();
}

void Dependence::on_all() { search().depend_on_all(); }

void Dependence::created(std::uint32_t self, std::uint32_t child) {
  is_master(self);
  search().has_threads(child + 1);
  if (!is_counted(child) || !is_counted(self)) return on_all();
  const Kinship& parent = m_kinship[self];
  m_kinship[child] = {.before = parent.ended | thread_bit(self), .ended = parent.ended, .born = m_born};
  ++m_born;
}

void Dependence::joined(std::uint32_t self, std::uint32_t ended) {
  is_master(self);
  if (!is_counted(ended) || !is_counted(self)) return on_all();
  m_kinship[self].ended |= m_kinship[ended].ended | thread_bit(ended);
}

void depend_on_all() {
  if (g_fingerprinting) Dependence::on_all();
}

const std::uint64_t* joins() {
  memset(g_joins, 0, sizeof g_joins);
  for (const Fiber* fiber : alive())
    if (is_counted(fiber->id) && fiber->joins != nullptr && is_counted(fiber->joins->id))
      g_joins[fiber->id] = thread_bit(fiber->joins->id);
  return g_joins;
}

} // namespace reex
