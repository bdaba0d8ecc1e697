#include "reex/symbols/variables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <dwarf.h>
#include <gelf.h>

#include "reex/symbols/function_name.h"
#include "reex/symbols/split_unit.h"
#include "reex/symbols/unit_index.h"

namespace reex::detail {
namespace {

constexpr unsigned k_most_levels = 32; // of scopes and of types: damaged debug information may go round

std::optional<Dwarf_Word> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

// The type without its names and qualifiers.
bool type_of(Dwarf_Die* die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr)
    return false;
  Dwarf_Die bare;
  if (dwarf_peel_type(&type, &bare) != 0) return false;
  type = bare;
  return true;
}

std::optional<Dwarf_Addr> address_of(Dwarf_Die* variable) {
  Dwarf_Attribute location;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0 || count != 1)
    return std::nullopt;
  if (operations->atom == DW_OP_addr) return operations->number;
  Dwarf_Attribute indexed;
  Dwarf_Addr address = 0;
  if ((operations->atom == DW_OP_addrx || operations->atom == DW_OP_GNU_addr_index) &&
      dwarf_getlocation_attr(&location, operations, &indexed) == 0 && dwarf_formaddr(&indexed, &address) == 0)
    return address;
  return std::nullopt;
}

// How many elements each dimension has.
std::vector<Dwarf_Word> dimensions_of(Dwarf_Die* array) {
  std::vector<Dwarf_Word> counts;
  Dwarf_Die child;
  if (dwarf_child(array, &child) != 0) return counts;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number(&child, DW_AT_count))
      counts.push_back(*count);
    else if (const auto last = number(&child, DW_AT_upper_bound))
      counts.push_back(*last + 1);
    else
      return {};
  } while (dwarf_siblingof(&child, &child) == 0);
  return counts;
}

// The way from the start of a variable of this type to a byte in it. It ends at a member whose name is the
// library's own, which tells nobody anything; but the index in an array of std::array is told.
class Way {
public:
  std::string text;
  Dwarf_Word rest = 0; // bytes that are left

  Way(Dwarf_Die type, Dwarf_Word offset) : rest(offset) {
    for (unsigned i = 0; i < k_most_levels && enter(type, type); ++i) {
    }
    if (m_in_library) rest = 0;
  }

private:
  bool enter(Dwarf_Die type, Dwarf_Die& inner) {
    switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return member(type, inner);
    case DW_TAG_array_type:
      return element(type, inner);
    default:
      return false;
    }
  }

  bool member(Dwarf_Die& type, Dwarf_Die& inner) {
    Dwarf_Die child;
    if (dwarf_child(&type, &child) != 0) return false;
    do {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      const auto begin = number(&child, DW_AT_data_member_location);
      Dwarf_Word size = 0;
      Dwarf_Die candidate;
      if (!begin || dwarf_hasattr(&child, DW_AT_bit_size) != 0 || !type_of(&child, candidate) ||
          dwarf_aggregate_size(&candidate, &size) != 0 || rest < *begin || rest - *begin >= size)
        continue;
      const char* const name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
      m_in_library = m_in_library || (name != nullptr && is_reserved(name));
      if (name != nullptr && !m_in_library) text += std::string(".") + name;
      rest -= *begin;
      inner = candidate;
      return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
  }

  bool element(Dwarf_Die& type, Dwarf_Die& inner) {
    const std::vector<Dwarf_Word> counts = dimensions_of(&type);
    Dwarf_Word size = 0;
    if (counts.empty() || !type_of(&type, inner) || dwarf_aggregate_size(&inner, &size) != 0 || size == 0)
      return false;
    Dwarf_Word index = rest / size;
    rest %= size;
    std::string indexes;
    for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
      if (*count == 0) return false;
      indexes.insert(0, "[" + std::to_string(index % *count) + "]");
      index /= *count;
    }
    text += indexes;
    m_in_library = false;
    return true;
  }

  bool m_in_library = false;
};

std::string offset_text(Dwarf_Addr offset) { return offset == 0 ? "" : "+" + std::to_string(offset); }

// Also of a part of a variable that the compiler has taken apart: "_ZN3app4gridE.0".
std::string readable(const char* symbol) {
  const std::string name = demangled(symbol);
  const std::size_t part = name.rfind('.');
  return name == symbol && part != std::string::npos ? demangled(name.substr(0, part).c_str()) : name;
}

} // namespace

void Variables::read_symbols(Dwfl_Module* module) {
  const int count = dwfl_module_getsymtab(module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Word section = 0;
    const char* const name = dwfl_module_getsym(module, i, &symbol, &section);
    if (name == nullptr || *name == 0 || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || section == SHN_UNDEF ||
        symbol.st_size == 0)
      continue;
    m_symbols.push_back({symbol.st_value, symbol.st_size, name});
  }
  std::stable_sort(m_symbols.begin(), m_symbols.end(),
                   [](const Symbol& a, const Symbol& b) { return a.begin < b.begin; });
}

void Variables::collect(Dwarf_Die* scope, Dwarf_Addr bias, unsigned depth) {
  Dwarf_Die child;
  if (depth == k_most_levels || dwarf_child(scope, &child) != 0) return;
  do {
    if (dwarf_tag(&child) == DW_TAG_namespace) {
      collect(&child, bias, depth + 1);
    } else if (dwarf_tag(&child) == DW_TAG_variable) {
      Dwarf_Die type;
      const auto address = address_of(&child);
      if (address && type_of(&child, type)) m_types.try_emplace(*address + bias, type);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void Variables::read_entries(Dwfl_Module* module) {
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr bias = 0;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    Dwarf_Die whole = whole_unit(*unit);
    collect(&whole, bias, 0);
  }
}

const Variables::Symbol* Variables::find(Dwfl_Module* module, Dwarf_Addr address) {
  if (!std::exchange(m_symbols_read, true)) read_symbols(module);
  const auto after =
      std::upper_bound(m_symbols.begin(), m_symbols.end(), address,
                       [](Dwarf_Addr value, const Symbol& each) { return value < each.begin; });
  if (after == m_symbols.begin()) return nullptr;
  const Symbol& symbol = *std::prev(after);
  return address - symbol.begin < symbol.size ? &symbol : nullptr;
}

std::string Variables::symbol_at(Dwfl_Module* module, Dwarf_Addr address) {
  const Symbol* const symbol = find(module, address);
  return symbol == nullptr ? "" : demangled(symbol->name) + offset_text(address - symbol->begin);
}

std::string Variables::at(Dwfl_Module* module, Dwarf_Addr address) {
  const Symbol* const symbol = find(module, address);
  if (symbol == nullptr) return "";
  const std::string name = readable(symbol->name);
  if (!std::exchange(m_entries_read, true)) read_entries(module);
  const auto type = m_types.find(symbol->begin);
  if (type == m_types.end()) return name + offset_text(address - symbol->begin);
  const Way way(type->second, address - symbol->begin);
  return name + way.text + offset_text(way.rest);
}

} // namespace reex::detail
