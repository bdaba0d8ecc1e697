// An index of the functions of one compile unit by address. libdw's dwarf_getscopes would walk through the
// unit's whole tree for each address. The index is built when it is used first. Only for files in
// reex/symbols/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace reex::detail {

class UnitIndex {
public:
  explicit UnitIndex(Dwarf_Die unit) : m_unit(unit) {}

  // The inlined calls that contain the address, innermost first, and then the function that contains it.
  // Empty if no function does. Addresses are those in the file, without load bias.
  std::vector<Dwarf_Die> scopes(Dwarf_Addr address);

  Dwarf_Die* unit() { return &m_unit; }
  std::string file(Dwarf_Word index);     // the absolute path for a DW_AT_call_file
  std::string absolute(const char* path); // a relative path is relative to the compilation folder

private:
  struct Range {
    Dwarf_Addr low;
    Dwarf_Addr high;
    std::size_t function;
  };
  void build();
  void collect(Dwarf_Die* parent, unsigned depth);

  Dwarf_Die m_unit;
  bool m_built = false;
  std::uint64_t m_entries_left = 0; // that build() may still visit
  std::vector<Dwarf_Die> m_functions;
  std::vector<Range> m_ranges; // sorted by low
};

// The demangled and qualified name; "" if the entry has no name.
std::string function_name(Dwarf_Die* die);
std::string demangled(const char* name);

} // namespace reex::detail
