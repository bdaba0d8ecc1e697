// The variables in a module's data, by address, as a reader of the sources calls them: "config.locked",
// "slots[2].count". The symbol table has the name, and the debug information has the way into the variable.
// Both are read when they are used first. Only for files in reex/symbols/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace reex::detail {

class Variables {
public:
  // "" if no variable is at this address of the process. What the debug information does not have is a number
  // of bytes: "config+8".
  std::string at(Dwfl_Module* module, Dwarf_Addr address);
  // By the symbol table alone: "config+8".
  std::string symbol_at(Dwfl_Module* module, Dwarf_Addr address);

private:
  struct Symbol {
    Dwarf_Addr begin;
    Dwarf_Addr size;
    const char* name; // the symbol table's
  };
  const Symbol* find(Dwfl_Module* module, Dwarf_Addr address);
  void read_symbols(Dwfl_Module* module);
  void read_entries(Dwfl_Module* module);
  void collect(Dwarf_Die* scope, Dwarf_Addr bias, unsigned depth);

  bool m_symbols_read = false;
  bool m_entries_read = false;
  std::vector<Symbol> m_symbols; // sorted by begin
  // The types of variables outside functions.
  std::map<Dwarf_Addr, Dwarf_Die> m_types;
};

} // namespace reex::detail
