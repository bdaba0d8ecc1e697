#include "reex/symbols/unit_index.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include <cxxabi.h>
#include <dwarf.h>

namespace reex::detail {
namespace {

// Whether such an entry can contain functions or inlined calls.
bool has_functions(int tag) {
  switch (tag) {
  case DW_TAG_namespace:
  case DW_TAG_class_type:
  case DW_TAG_structure_type:
  case DW_TAG_union_type:
  case DW_TAG_subprogram:
  case DW_TAG_lexical_block:
  case DW_TAG_inlined_subroutine:
    return true;
  default:
    return false;
  }
}

constexpr std::uint64_t k_most_entries = 1 << 24;
constexpr unsigned k_deepest = 200; // entries within each other; in a sound file there are a dozen or two

// The entry after `die`, of the same parent. In a damaged file it may lie before it, and so on without end.
bool next_sibling(Dwarf_Die& die) {
  const Dwarf_Off before = dwarf_dieoffset(&die);
  return dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > before;
}

// No unit has more entries than bytes. If the size is not known: more than any unit has.
std::uint64_t size_of_unit(Dwarf_Die unit) {
  const Dwarf_Off start = dwarf_dieoffset(&unit) - dwarf_cuoffset(&unit);
  Dwarf_Off end = 0;
  std::size_t header = 0;
  Dwarf* const file = dwarf_cu_getdwarf(unit.cu);
  if (dwarf_nextcu(file, start, &end, &header, nullptr, nullptr, nullptr) != 0 || end <= start)
    return k_most_entries;
  return end - start;
}

// Appends the inlined calls under `parent` that contain the address, outermost first.
void descend(Dwarf_Die* parent, Dwarf_Addr address, std::vector<Dwarf_Die>& found, unsigned depth = 0) {
  Dwarf_Die child;
  if (depth == k_deepest || dwarf_child(parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (dwarf_haspc(&child, address) != 1) continue;
    if (tag == DW_TAG_inlined_subroutine) found.push_back(child);
    Dwarf_Die inner = child;
    descend(&inner, address, found, depth + 1);
    return;
  } while (next_sibling(child));
}

// Whether such an entry is part of the qualified names of those inside it.
bool is_named_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

// The declaration inside the class or namespace, if there is a separate one.
Dwarf_Die declaration_of(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  Dwarf_Die other;
  for (const unsigned name : {DW_AT_abstract_origin, DW_AT_specification}) {
    if (dwarf_attr(&die, name, &attribute) != nullptr && dwarf_formref_die(&attribute, &other) != nullptr) {
      die = other;
    }
  }
  return die;
}

} // namespace

std::string demangled(const char* name) {
  if (std::strncmp(name, "_Z", 2) != 0) return name; // a C name: "s" would be demangled to the type short
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                    std::free);
  std::string result = text ? text.get() : name;
  if (const std::size_t clone = result.find(" [clone "); clone != std::string::npos) result.resize(clone);
  return result;
}

std::string UnitIndex::function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(die, name, &attribute) == nullptr) continue;
    if (const char* text = dwarf_formstring(&attribute)) return demangled(text);
  }
  const char* name = dwarf_diename(die);
  if (name == nullptr) return "";
  // g++ names the function of an OpenMP region or task after the symbol of the one around it.
  if (const char* part = std::strstr(name, "._omp_fn."); part != nullptr)
    return demangled(std::string(name, part).c_str());
  return scope_prefix(*die) + name;
}

std::string UnitIndex::scope_prefix(Dwarf_Die die) {
  die = declaration_of(die);
  if (die.cu != m_whole.cu) { // the file was made smaller by dwz
    Dwarf_Die unit;
    if (dwarf_diecu(&die, &unit, nullptr, nullptr) == nullptr) return "";
    return m_others.try_emplace(die.cu, unit).first->second.scope_prefix(die);
  }
  if (!m_built) build();
  const Dwarf_Off offset = dwarf_dieoffset(&die);
  const auto after =
      std::lower_bound(m_scopes.begin(), m_scopes.end(), offset,
                       [](const Scope& scope, Dwarf_Off value) { return scope.begin < value; });
  std::string prefix;
  for (auto i = static_cast<std::size_t>(after - m_scopes.begin()); i != 0;) {
    Scope& scope = m_scopes[i - 1];
    if (offset < scope.end) {
      const char* name = dwarf_diename(&scope.entry);
      prefix.insert(0, std::string(name == nullptr ? "(anonymous)" : name) + "::");
    }
    i = scope.parent;
  }
  return prefix;
}

void UnitIndex::build() {
  m_built = true;
  m_entries_left = size_of_unit(m_whole);
  collect(&m_whole, dwarf_dieoffset(&m_whole) + m_entries_left, 0, 0);
  std::stable_sort(m_ranges.begin(), m_ranges.end(),
                   [](const Range& a, const Range& b) { return a.low < b.low; });
}

// `end`: where the parent ends. `scope`: the innermost named one, its index + 1.
void UnitIndex::collect(Dwarf_Die* parent, Dwarf_Off end, std::size_t scope, unsigned depth) {
  Dwarf_Die next;
  if (depth == k_deepest || dwarf_child(parent, &next) != 0) return;
  for (bool more = true; more && m_entries_left != 0;) {
    --m_entries_left;
    Dwarf_Die child = next;
    more = next_sibling(next);
    const int tag = dwarf_tag(&child);
    if (!has_functions(tag)) continue;
    if (tag == DW_TAG_subprogram) add_function(child);
    const Dwarf_Off child_end = more ? dwarf_dieoffset(&next) : end;
    std::size_t within = scope;
    if (is_named_scope(tag)) {
      m_scopes.push_back({dwarf_dieoffset(&child), child_end, child, scope});
      within = m_scopes.size();
    }
    collect(&child, child_end, within, depth + 1);
  }
}

void UnitIndex::add_function(Dwarf_Die& function) {
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  bool added = false;
  for (ptrdiff_t at = dwarf_ranges(&function, 0, &base, &low, &high); at > 0;
       at = dwarf_ranges(&function, at, &base, &low, &high)) {
    if (low >= high) continue;
    if (!added) m_functions.push_back(function);
    added = true;
    m_ranges.push_back({low, high, m_functions.size() - 1});
  }
}

std::vector<Dwarf_Die> UnitIndex::scopes(Dwarf_Addr address) {
  if (!m_built) build();
  const auto after = std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                                      [](Dwarf_Addr value, const Range& range) { return value < range.low; });
  if (after == m_ranges.begin()) return {};
  const Range& range = *std::prev(after);
  if (address >= range.high) return {};
  std::vector<Dwarf_Die> found{m_functions[range.function]};
  descend(&m_functions[range.function], address, found);
  std::reverse(found.begin(), found.end());
  return found;
}

std::string UnitIndex::absolute(const char* path) {
  if (path == nullptr) return "";
  std::filesystem::path result(path);
  if (result.is_relative()) {
    Dwarf_Attribute attribute;
    const char* folder = dwarf_formstring(dwarf_attr(&m_unit, DW_AT_comp_dir, &attribute));
    if (folder != nullptr) result = std::filesystem::path(folder) / result;
  }
  return result.lexically_normal().string();
}

std::string UnitIndex::file(Dwarf_Word index) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&m_whole, &files, &count) != 0) return "";
  return absolute(dwarf_filesrc(files, index, nullptr, nullptr));
}

} // namespace reex::detail
