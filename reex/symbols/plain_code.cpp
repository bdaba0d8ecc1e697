#include "reex/symbols/plain_code.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "reex/symbols/module_code.h"
#include "reex/symbols/unit_index.h"

namespace reex {

using detail::CodeFunction;
using detail::CodeRange;
using detail::CodeUnit;
using detail::ModuleCode;

namespace {

void judge_units(Dwarf* dwarf, const ModuleCode& module, std::vector<CodeRange>& covered,
                 std::set<std::string>& found) {
  for (const CodeUnit& unit : detail::units_of(dwarf)) {
    const std::vector<CodeRange>& ranges = unit.ranges;
    covered.insert(covered.end(), ranges.begin(), ranges.end());
    if (unit.producer.find("-fsanitize=thread") != std::string::npos) continue;
    if (std::any_of(ranges.begin(), ranges.end(),
                    [&](const CodeRange& one) { return module.calls_hooks(one); }) ||
        std::none_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& one) { return module.may_access(one); }))
      continue;
    if (!detail::is_known_source(unit.source)) found.insert(unit.source);
  }
}

} // namespace

std::optional<std::vector<std::string>> code_without_hooks(const std::string& path, std::size_t at_most) {
  elf_version(EV_CURRENT);
  std::set<std::string> found;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  bool is_read = false;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
      elf) {
    const ModuleCode module(elf.get());
    is_read = module.is_read();
    std::vector<CodeRange> covered;
    if (const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr),
                                                            dwarf_end);
        dwarf)
      judge_units(dwarf.get(), module, covered, found);
    std::sort(covered.begin(), covered.end(),
              [](const CodeRange& a, const CodeRange& b) { return a.low < b.low; });
    for (const CodeFunction& function : module.functions()) {
      const auto after =
          std::upper_bound(covered.begin(), covered.end(), function.range.low,
                           [](std::uint64_t low, const CodeRange& range) { return low < range.low; });
      if (after != covered.begin() && function.range.low < std::prev(after)->high) continue;
      // Code without debug information always has a function for others, too.
      if (!function.is_exported || detail::is_known_function(function.name) ||
          module.calls_hooks(function.range) || !module.may_access(function.range))
        continue;
      found.insert(detail::demangled(function.name.c_str()));
    }
  }
  close(file);
  if (!is_read) return std::nullopt;
  std::vector<std::string> result(found.begin(), found.end());
  if (result.size() > at_most) result.resize(at_most);
  return result;
}

} // namespace reex
