// The variables belong to one execution: begin_doubts empties them.
#include "reex/runtime/order/doubtful.h"

#include <algorithm>
#include <cstring>

#include "reex/runtime/core/runtime.h"

namespace reex {

bool g_some_doubtful = false;

namespace {

struct Doubt {
  std::uint32_t first_clock, last_clock; // of the accesses
  std::uint32_t released;
};

constexpr unsigned k_doubts = 8;
Doubt g_doubts[k_max_threads][k_doubts]; // by slot, oldest first
std::uint8_t g_doubt_count[k_max_threads];

// What is known only up to the later one's release may still be doubtful for the earlier one.
Doubt merged(const Doubt& a, const Doubt& b) {
  const bool open = a.released == 0 || b.released == 0;
  return {std::min(a.first_clock, b.first_clock), std::max(a.last_clock, b.last_clock),
          open ? 0 : std::max(a.released, b.released)};
}

void add_doubt(unsigned slot, const Doubt& doubt) {
  std::uint8_t& count = g_doubt_count[slot];
  Doubt* const doubts = g_doubts[slot];
  if (count != 0 && doubts[count - 1].released == 0) {
    doubts[count - 1] = merged(doubts[count - 1], doubt);
    return;
  }
  if (count == k_doubts) {
    doubts[0] = merged(doubts[0], doubts[1]);
    std::move(doubts + 2, doubts + count, doubts + 1);
    --count;
  }
  doubts[count++] = doubt;
}

} // namespace

void begin_doubts() {
  if (g_some_doubtful) memset(g_doubt_count, 0, sizeof g_doubt_count);
  g_some_doubtful = false;
}

void note_release(std::uint32_t clock) {
  const Fiber& self = *g.current;
  const InterruptedWait* const wait = self.interrupted;
  if (wait != nullptr && wait->first_clock != 0) {
    g_some_doubtful = true;
    add_doubt(self.slot, {wait->first_clock, wait->last_clock, 0});
  } else if (wait == nullptr && g_some_doubtful) {
    end_doubts(self.slot, clock);
  }
}

void end_doubts(unsigned slot, std::uint32_t clock) {
  if (const unsigned count = g_doubt_count[slot]; count != 0 && g_doubts[slot][count - 1].released == 0)
    g_doubts[slot][count - 1].released = clock;
}

bool is_doubtful(unsigned slot, std::uint32_t clock, std::uint32_t known) {
  const Doubt* const doubts = g_doubts[slot];
  return std::any_of(doubts, doubts + g_doubt_count[slot], [&](const Doubt& doubt) {
    return clock >= doubt.first_clock && clock <= doubt.last_clock &&
           (doubt.released == 0 || known < doubt.released);
  });
}

} // namespace reex
