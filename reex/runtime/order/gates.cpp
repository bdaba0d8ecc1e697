#include "reex/runtime/order/gates.h"

namespace reex {
namespace {

struct Closed {
  std::uint64_t object;
  int state;
};

// Before the first thread.
constexpr unsigned k_most_closed = 64;
Closed g_closed[k_most_closed];
unsigned g_closed_count = 0;
bool g_too_many = false;

} // namespace

void note_start(std::uint64_t object, int state) {
  unsigned i = 0;
  while (i < g_closed_count && g_closed[i].object != object) ++i;
  if (state == 0) {
    if (i < g_closed_count) g_closed[i] = g_closed[--g_closed_count];
  } else if (i == k_most_closed) {
    g_too_many = true;
  } else {
    g_closed[i] = {object, state};
    if (i == g_closed_count) ++g_closed_count;
  }
}

bool is_start_known() { return !g_too_many; }

void Gates::begin() {
  ++m_start;
  m_count = 0;
  for (unsigned i = 0; i < g_closed_count; ++i) set(g_closed[i].object, g_closed[i].state);
}

bool Gates::set(std::uint64_t object, int state) {
  Known& known = m_known[index_of(object)];
  if (known.start != m_start && ++m_count > k_most) return false;
  known = {object, m_start, state};
  return true;
}

} // namespace reex
