// Hooks for accesses that g++ gives none (docs/semantics.md: "Races and rounds").
//
// With -fsanitize=thread, g++ puts a hook before each statement that loads or stores, but not before a call.
// So it has none where a call does so by itself: where an object of a class that a function returns goes from
// registers to its place, and where an object that is passed by value goes from its place to registers or to
// the stack. Nor before the writes of an object that a function returns in memory: it takes it for a local
// one. What follows is done to the compiler's assembly (x86-64, AT&T syntax):
//
// - A store of what a call has just returned, without a hook since, gets a hook that says so.
// - A load of what a call is then passed gets one, if the hooks before it have not named its address.
// - So does a store through the first argument in a function that returns it (result_place.h).
// - And a store past the cache: an intrinsic, which is a call to the compiler.
// - Inline assembly gets those of users_assembly.h, and so does a function that has none at all although it
//   accesses what others may: it is exempted (no_sanitize). Constants, which need none, are not told from
//   variables here, but as it runs (runtime/machine/modules.h).
//
// On the stack, this is for what lies above a place whose address is taken, and is used by calls alone: so a
// variable that others see is told from a spilled register.
#pragma once

#include <string>
#include <string_view>

namespace reex {

// The assembly, with the hooks. Without any, or in another syntax, it comes back as it is. Cost: linear.
std::string announce_accesses(std::string_view assembly);

} // namespace reex
