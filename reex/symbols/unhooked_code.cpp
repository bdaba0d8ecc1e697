#include "reex/symbols/unhooked_code.h"

#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "reex/symbols/atomic_code.h"
#include "reex/symbols/plain_code.h"
#include "reex/symbols/stack_switch.h"

namespace reex {
namespace {

UnhookedCode find(const detail::ModuleCode& module, Elf* elf, const std::string& path, std::size_t at_most) {
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf, DWARF_C_READ, nullptr), dwarf_end);
  std::vector<detail::CodeUnit> units;
  if (dwarf) units = detail::units_of(dwarf.get());
  std::vector<std::string> switches;
  for (const detail::CodeFunction& function : module.functions())
    if (switches.size() < at_most && function.is_exported && !detail::is_known_function(function.name) &&
        !module.calls_hooks(function.range) && detail::switches_stacks(module, function))
      switches.emplace_back(function.name);
  return {.plain = detail::plain_code(module, units, at_most),
          .switches = std::move(switches),
          .atomics =
              detail::atomic_code(module, units, std::filesystem::path(path).filename().string(), at_most)};
}

} // namespace

std::optional<UnhookedCode> code_without_hooks(const std::string& path, std::size_t at_most) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::optional<UnhookedCode> result;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
      elf) {
    const detail::ModuleCode module(elf.get());
    if (module.is_read()) result = find(module, elf.get(), path, at_most);
  }
  close(file);
  return result;
}

} // namespace reex
