// Units whose names and functions stand in a file of their own (-gsplit-dwarf; DWARF 5, section 3.1.2): the
// program has their skeletons only, with the line table, the ranges and the compilation folder. Only for
// files in reex/symbols/.
#pragma once

#include <elfutils/libdw.h>

namespace reex::detail {

// The entry that has the unit's name, producer and functions: of the .dwo file, if the unit is a skeleton and
// this file is where the compiler put it; else the unit itself.
Dwarf_Die whole_unit(const Dwarf_Die& unit);

} // namespace reex::detail
