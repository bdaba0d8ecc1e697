#include "reex/runtime/order/time_ahead.h"

#include <algorithm>

#include "reex/runtime/core/running.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/order/histories.h"

namespace reex {

bool g_some_ahead = false;

namespace {

// How far those are ahead at least who use the object in this word.
struct Told {
  std::uint64_t word;
  std::uint64_t execution; // if it is not g_ahead_execution, the entry is free
  Ahead ahead;
};

// About what an operation takes natively, in nanoseconds, where threads meet.
constexpr std::uint64_t k_takes = 50;
constexpr std::uint64_t k_access_takes = 1;
constexpr std::uint64_t k_system_call_takes = 1000;
constexpr std::uint64_t k_wake_up_takes = 5000; // from the notification on

// As many as the histories can tell apart (histories.h). Beyond, all objects are one, and all operations are
// ordered.
constexpr unsigned k_told = 1u << 15;
constexpr unsigned k_most_told = k_told / 4 * 3;

Told g_told[k_told];
unsigned g_told_count = 0;
std::uint64_t g_ahead_execution = 0;
Ahead g_told_outside{}; // by operations outside, and on objects that have no entry
Ahead g_told_all{};     // by operations that are ordered with everything

std::uint64_t time_of(Operation operation, Scope scope) {
  switch (operation) {
  case Operation::thread_create:
  case Operation::cond_reacquire:
  case Operation::futex_sleep:
  case Operation::futex_move:
    return k_wake_up_takes;
  default:
    return scope == Scope::outside ? k_system_call_takes : k_takes;
  }
}

void learn(Ahead& ahead, const Ahead& from) {
  ahead.shown = std::max(ahead.shown, from.shown);
  ahead.worked = std::max(ahead.worked, from.worked);
}

Ahead& told_at(const void* object) {
  const std::uint64_t word = words_at(object, 0).first;
  for (std::uint64_t i = word * 0x9e3779b97f4a7c15 >> 32;; ++i) {
    Told& told = g_told[i % k_told];
    if (told.execution != g_ahead_execution) {
      if (g_told_count == k_most_told) return g_told_outside;
      ++g_told_count;
      told = {word, g_ahead_execution, {}};
      return told.ahead;
    }
    if (told.word == word) return told.ahead;
  }
}

// The last to tell have learned from those before, so nothing is forgotten.
void carry(Ahead& told, bool tells) {
  Ahead& own = g.current->ahead;
  learn(own, told);
  if (tells) told = own;
}

} // namespace

void begin_to_count_work() {
  g_fibers[0].ahead.worked = std::max(g_fibers[0].ahead.worked, std::uint64_t{1});
}

void begin_time_ahead() {
  g_some_ahead = g_fibers[0].ahead.worked != 0;
  g_told_count = 0;
  g_told_outside = g_told_all = {};
  ++g_ahead_execution;
}

void count_accesses() {
  if (std::uint64_t& worked = g.current->ahead.worked; worked != 0)
    worked += static_cast<std::uint64_t>(g_fuel_counted - g_fuel) * k_access_takes;
  g_fuel_counted = g_fuel;
}

void go_ahead() {
  count_accesses();
  Ahead& own = g.current->ahead;
  own.shown = own.worked = std::max(own.shown + k_least_ahead, own.worked);
  g_some_ahead = true;
}

void tell_ahead(Fiber& other) { learn(other.ahead, g.current->ahead); }

void learn_ahead(const Fiber& other) { learn(g.current->ahead, other.ahead); }

void carry_ahead(Operation operation, const void* object) {
  const Scope scope = scope_of(operation);
  if (std::uint64_t& worked = g.current->ahead.worked; worked != 0) worked += time_of(operation, scope);
  switch (scope) {
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
