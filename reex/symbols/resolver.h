// Finds the source frames of machine addresses of the test process, from the DWARF of its modules (libdw). It
// is in the parent process, and reads only the modules' files, not the memory of the test process.
//
// Thread safety: one thread at a time may use a Resolver.
//
// Invariants: the frames of an address are stored, so a later call returns the same frames.
//
// Cost: the first address of a compile unit reads its line table and its functions (milliseconds). Later
// addresses take microseconds.
//
// Errors: nothing throws. What is not known is empty. A damaged file costs no more than a sound one could.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reex/symbols/frame.h"
#include "reex/symbols/maps.h"

namespace reex {

class Resolver {
public:
  explicit Resolver(const std::vector<MappedModule>& modules);
  ~Resolver();
  Resolver(Resolver&&) noexcept;
  Resolver& operator=(Resolver&&) noexcept;

  // Adds modules that were loaded later (dlopen). Modules that it knows remain as they are.
  void add_modules(const std::vector<MappedModule>& modules);

  // The source frames of one address, innermost first: the inlined calls, and then the function itself. Each
  // outer frame has the position of its call. `pc` must be INSIDE the instruction: a return address minus 1.
  // The result is never empty.
  std::vector<Frame> frames(std::uint64_t pc);

  // The variable at an address of a module's data, and what of it: "name", "name.member", "name[2]"; "name+8"
  // where the debug information does not say; "" if there is none.
  std::string variable(std::uint64_t address);
  // The same by the symbol table alone, "name" or "name+8": what a variable is known by, whether or not there
  // is debug information.
  std::string data_symbol(std::uint64_t address);

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// Whether a file belongs to the compiler, the C or C++ library, or a test framework, and not to the user.
bool is_system_file(const std::string& path);

} // namespace reex
