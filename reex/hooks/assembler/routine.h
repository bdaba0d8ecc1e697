// The routines that the added hooks call (announce.h). Each keeps all registers, whatever their use between
// the access and the call.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace reex {

struct HookOf { // an access
  bool writes;
  bool repeats; // as often as rcx says
  unsigned bytes;
  auto operator<=>(const HookOf&) const = default;
};

struct AssemblyHook { // an atomic operation of inline assembly, or an access of an exempted function
  enum class Kind {
    load,
    store,
    exchange,
    compare
  }; // the numbers that reex_assembly_before (hooks.cpp) gets
  Kind kind;
  unsigned bytes;
  bool exempted = false; // it is expected to race
  bool may_write() const { return kind != Kind::load; }
  auto operator<=>(const AssemblyHook&) const = default;
};

// The routine's part of the name: read8, range8.
std::string name_of(const HookOf& hook);
// What the function keeps below its stack pointer where the access is: it may use 128 bytes there if it calls
// no other function. With `_of_cfa`, the directives of its frame count from the stack pointer.
enum class Below { nothing, red_zone, red_zone_of_cfa };
// What goes before the access. `operand` is its operand in memory.
std::string call_of(const HookOf& hook, std::string_view operand, Below below);
// The routine. `all`: the registers of AVX and AVX-512 and the x87 stack are in use, too; it keeps them by
// XSAVE, which takes about 0.1 us.
std::string routine_of(const HookOf& hook, bool all);

// What goes before an atomic operation of inline assembly, up to an instruction that does nothing and tells
// that it has a hook (symbols/atomic_code.cpp). And what goes behind it, if may_write(). `bit`: the register,
// of four or eight bytes as the operation has, and not r11, which says how many bits from the operand's place
// the word lies; "": none.
std::string call_before(const AssemblyHook& hook, std::string_view operand, std::string_view bit,
                        Below below);
std::string call_behind(Below below);
// The instruction that tells of an access without a hook behind it (symbols/atomic_code.cpp).
std::string unseen_mark();
// The routines of hooks of assembly.
std::string routine_before(const AssemblyHook& hook, bool all);
std::string routine_behind(bool all);

} // namespace reex
