// An index of the functions of one compile unit by address, and of what they are declared in. libdw's
// dwarf_getscopes and dwarf_getscopes_die would walk through the unit's whole tree for each. The index is
// built when it is used first. Only for files in reex/symbols/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "reex/symbols/split_unit.h"

namespace reex::detail {

class UnitIndex {
public:
  explicit UnitIndex(Dwarf_Die unit) : m_unit(unit), m_whole(whole_unit(unit)) {}

  // The inlined calls that contain the address, innermost first, and then the function that contains it.
  // Empty if no function does. Addresses are those in the file, without load bias.
  std::vector<Dwarf_Die> scopes(Dwarf_Addr address);

  // The demangled and qualified name of a function or an inlined call of scopes(); "" if it has no name.
  std::string function_name(Dwarf_Die* die);

  Dwarf_Die* unit() { return &m_unit; }
  std::string file(Dwarf_Word index);     // the absolute path for a DW_AT_call_file
  std::string absolute(const char* path); // a relative path is relative to the compilation folder

private:
  struct Range {
    Dwarf_Addr low;
    Dwarf_Addr high;
    std::size_t function;
  };
  struct Scope { // a namespace or class
    Dwarf_Off begin;
    Dwarf_Off end; // that of the entry behind it
    Dwarf_Die entry;
    std::size_t parent; // its index + 1; 0: none
  };
  void build();
  void collect(Dwarf_Die* parent, Dwarf_Off end, std::size_t scope, unsigned depth);
  void add_function(Dwarf_Die& function);
  std::string scope_prefix(Dwarf_Die die);

  Dwarf_Die m_unit;
  Dwarf_Die m_whole; // with the functions (split_unit.h)
  bool m_built = false;
  std::uint64_t m_entries_left = 0; // that build() may still visit
  std::vector<Dwarf_Die> m_functions;
  std::vector<Range> m_ranges; // sorted by low
  std::vector<Scope> m_scopes; // sorted by begin
  std::map<Dwarf_CU*, UnitIndex> m_others;
};

std::string demangled(const char* name);

} // namespace reex::detail
