// Inside reex/symbols: the functions of one compile unit by address, so that an address is found without a
// walk through the unit's whole tree (libdw's dwarf_getscopes does one each time). Built at the unit's first
// use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace reex::detail {

class UnitIndex {
public:
  explicit UnitIndex(Dwarf_Die unit) : m_unit(unit) {}

  // The function that contains the address, preceded by the inlined calls inside it that do, innermost first.
  // Empty if no function does. Addresses are the file's, without load bias.
  std::vector<Dwarf_Die> scopes(Dwarf_Addr address);

  Dwarf_Die* unit() { return &m_unit; }
  std::string file(Dwarf_Word index);     // of a DW_AT_call_file, absolute
  std::string absolute(const char* path); // resolved against the compilation folder

private:
  struct Range {
    Dwarf_Addr low;
    Dwarf_Addr high;
    std::size_t function;
  };
  void build();
  void collect(Dwarf_Die* parent);

  Dwarf_Die m_unit;
  bool m_built = false;
  std::vector<Dwarf_Die> m_functions;
  std::vector<Range> m_ranges; // sorted by low
};

// Demangled and qualified; "" if the entry has no name at all.
std::string function_name(Dwarf_Die* die);
std::string demangled(const char* name);

} // namespace reex::detail
