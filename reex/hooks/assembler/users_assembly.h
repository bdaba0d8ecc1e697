// Hooks for the accesses of inline assembly, of which the compiler knows nothing (docs/semantics.md: "Atomic
// instructions in assembly").
//
// Assembly is written by those who make atomic operations of their own. So an instruction that locks the bus
// is an atomic operation, and a move between a register and memory is an atomic load or store; on x86 it
// acquires or releases. What changes memory without a lock is such a store behind a plain read: none but one
// thread may do it at a time. Moves of vectors are plain accesses. An atomic operation gets a hook before it,
// where threads switch, and if it writes another one behind it, which sees what it has done.
//
// A block stays as it is if a hook may break it: if it moves the stack, changes the section, has directives
// that repeat or choose, or jumps that reach only so far. Accesses that get no hook have a mark before them,
// or before their block: an instruction that does nothing, by which reex names the line
// (symbols/atomic_code.h).
//
// A function that is exempted from -fsanitize=thread is treated alike, instruction by instruction: it is
// exempted because it reads and writes what others change meanwhile, as if by atomic operations. What is no
// move or atomic operation there has a mark.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "reex/hooks/assembler/routine.h"

namespace reex {

struct UsersHooks {
  std::string text; // the block with hooks and marks; empty: there are none
  std::set<AssemblyHook> assembly;
  std::set<HookOf> plain;
  bool has_hooks() const { return !assembly.empty() || !plain.empty(); }
};

// `lines`: what stands between #APP and #NO_APP. `below`: see call_of(). Cost: linear.
UsersHooks hooks_of_users(std::span<const std::string_view> lines, Below below);

// Of one line of an exempted function. `text` is empty if it accesses no memory.
UsersHooks hooks_of_exempted(std::string_view line, Below below);

} // namespace reex
