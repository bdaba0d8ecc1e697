// Machine addresses of a traced process as source frames, from the DWARF of its modules (libdw). Lives in the
// parent process and never touches the traced one: it reads the modules' files. Not for use by two threads at
// once.
//
// Cost: the first address of a compile unit reads its line table and functions (milliseconds), later ones
// take microseconds. Nothing throws: what is not known stays empty.
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

  // Modules that were loaded later (dlopen); known ones are kept.
  void add_modules(const std::vector<MappedModule>& modules);

  // The source frames of one address, innermost first: the inlined calls and then the function itself, each
  // outer frame at its call site. `pc` lies INSIDE the instruction: a return address minus 1. Never empty.
  std::vector<Frame> frames(std::uint64_t pc);

  // The variable that lies at an address of a module's data: "name" or "name+8"; "" if there is none.
  std::string variable(std::uint64_t address) const;

private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

// Whether a file belongs to the compiler, the C or C++ library or GoogleTest rather than to the user.
bool is_system_file(const std::string& path);

} // namespace reex
