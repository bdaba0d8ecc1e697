#include "reex/symbols/split_unit.h"

#include <cstdint>

#include <dwarf.h>

namespace reex::detail {

Dwarf_Die whole_unit(const Dwarf_Die& unit) {
  std::uint8_t type = 0;
  Dwarf_Die whole = {};
  const bool is_found =
      dwarf_cu_info(unit.cu, nullptr, &type, nullptr, &whole, nullptr, nullptr, nullptr) == 0 &&
      type == DW_UT_skeleton && whole.cu != nullptr;
  return is_found ? whole : unit;
}

} // namespace reex::detail
