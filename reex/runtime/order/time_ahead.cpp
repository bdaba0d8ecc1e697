#include "reex/runtime/order/time_ahead.h"

#include <algorithm>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/histories.h"

namespace reex {

bool g_some_ahead = false;

namespace {

// How far those are ahead at least who use the object in this word.
struct Told {
  std::uint64_t word;
  std::uint32_t execution; // if it is not g_ahead_execution, the entry is free
  std::uint32_t ahead;
};

// As many as the histories can tell apart (histories.h). Beyond, all objects are one, and all operations are
// ordered.
constexpr unsigned k_told = 1u << 15;
constexpr unsigned k_most_told = k_told / 4 * 3;

Told g_told[k_told];
unsigned g_told_count = 0;
std::uint32_t g_ahead_execution = 0;
std::uint32_t g_told_outside = 0; // by operations outside, and on objects that have no entry
std::uint32_t g_told_all = 0;     // by operations that are ordered with everything

std::uint32_t& told_at(const void* object) {
  const std::uint64_t word = words_at(object, 0).first;
  for (std::uint64_t i = word * 0x9e3779b97f4a7c15 >> 32;; ++i) {
    Told& told = g_told[i % k_told];
    if (told.execution != g_ahead_execution) {
      if (g_told_count == k_most_told) return g_told_outside;
      ++g_told_count;
      told = {word, g_ahead_execution, 0};
      return told.ahead;
    }
    if (told.word == word) return told.ahead;
  }
}

// The last to tell have learned from those before, so nothing is forgotten.
void carry(std::uint32_t& told, bool tells) {
  Fiber& self = *g.current;
  self.ahead = std::max(self.ahead, told);
  if (tells) told = self.ahead;
}

} // namespace

void begin_time_ahead() {
  g_some_ahead = false;
  g_told_count = g_told_outside = g_told_all = 0;
  ++g_ahead_execution;
}

void go_ahead() {
  ++g.current->ahead;
  g_some_ahead = true;
}

void tell_ahead(Fiber& other) { other.ahead = std::max(other.ahead, g.current->ahead); }

void learn_ahead(const Fiber& other) { g.current->ahead = std::max(g.current->ahead, other.ahead); }

void carry_ahead(Operation operation, const void* object) {
  switch (scope_of(operation)) {
  case Scope::thread:
    return;
  case Scope::reads:
    return carry(told_at(object), false);
  case Scope::writes:
    return carry(told_at(object), true);
  case Scope::outside:
    return carry(g_told_outside, true);
  case Scope::all:
    return carry(g_told_all, true);
  }
}

} // namespace reex
