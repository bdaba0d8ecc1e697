#include "reex/symbols/resolver.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "reex/frameworks/table.h"
#include "reex/symbols/unit_index.h"
#include "reex/symbols/variables.h"

namespace reex {
namespace {

constexpr std::array<std::string_view, 8> k_system_modules = {
    "libreex", "libtsan", "libstdc++", "libc++", "libgcc_s", "libc.so", "libpthread", "ld-linux"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_system_module(const std::string& path) {
  return std::any_of(k_system_modules.begin(), k_system_modules.end(),
                     [name = base_name(path)](std::string_view start) { return name.starts_with(start); });
}

// Debug files of distributions are found on disk; nothing is asked of the network. Those of the system's own
// libraries are left alone: nobody is shown their lines, and to unpack libc's takes longer than a short
// exploration.
int find_debuginfo(Dwfl_Module* module, void** user, const char* name, Dwarf_Addr base, const char* file,
                   const char* link, GElf_Word crc, char** debug_file) {
  if (is_system_module(name)) return -1;
  if (std::getenv("DEBUGINFOD_URLS") != nullptr) {
    return dwfl_build_id_find_debuginfo(module, user, name, base, file, link, crc, debug_file);
  }
  return dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, debug_file);
}

// Computes the address in the process that corresponds to the file's address 0, from the segment of the
// mapping.
bool load_bias(const MappedModule& mapped, int file, GElf_Addr& bias, GElf_Addr& first_address) {
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
  std::size_t count = 0;
  if (!elf || elf_getphdrnum(elf.get(), &count) != 0) return false;
  const GElf_Addr page = static_cast<GElf_Addr>(sysconf(_SC_PAGESIZE));
  bool found = false;
  bool first = true;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD)
      continue;
    if (first) first_address = header.p_vaddr & ~(page - 1);
    first = false;
    const GElf_Off begin = header.p_offset & ~(page - 1);
    if (!found && begin <= mapped.file_offset && mapped.file_offset < header.p_offset + header.p_filesz) {
      if ((header.p_flags & PF_X) == 0) continue;
      bias = mapped.start - ((header.p_vaddr & ~(page - 1)) + (mapped.file_offset - begin));
      found = true;
    }
  }
  return found;
}

} // namespace

bool is_system_file(const std::string& path) {
  if (path.empty() || path.front() == '<') return true;
  const std::string_view text = path;
  for (const std::string_view start :
       {"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm", "/usr/src/googletest/"}) {
    if (text.starts_with(start)) return true;
  }
  for (const std::string_view part : {"/include/c++/", "/lib/clang/", "/lib/gcc/", "/libstdc++-v3/",
                                      "/sysdeps/", "/nptl/", "/include/reex/imunit"}) {
    if (text.find(part) != std::string_view::npos) return true;
  }
  return is_framework_source(path);
}

struct Resolver::Impl {
  struct Unit {
    Dwarf_Addr low;
    Dwarf_Addr high;
    detail::UnitIndex* index;
  };
  // The file is opened when the module is mapped, because another one may take its place, and read when
  // something is asked about it. Of most modules nothing ever is.
  struct Module {
    MappedModule mapped;
    bool system = false;
    int file = -1; // until it is read
    Dwfl_Module* dwfl = nullptr;
    bool units_read = false;
    Dwarf_Addr bias = 0;
    std::vector<Unit> units; // sorted by low
    detail::Variables variables;
  };

  Impl() {
    m_callbacks.find_debuginfo = find_debuginfo;
    m_callbacks.section_address = dwfl_offline_section_address;
  }
  ~Impl() {
    for (Dwfl* session : m_sessions) dwfl_end(session);
    for (auto& [start, module] : m_modules) close_file(module);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void add(const MappedModule& mapped);
  static void close_file(Module& module);
  void read(Module& module);
  Module* module_of(std::uint64_t pc);
  Module* module_of_data(std::uint64_t address);
  void read_units(Module& module);
  detail::UnitIndex* unit_of(Module& module, Dwarf_Addr address);
  std::vector<Frame> resolve(std::uint64_t pc);
  void fill(Frame& frame, const Module& module) const;

  Dwfl_Callbacks m_callbacks = {};
  std::vector<Dwfl*> m_sessions;             // one for each module, because modules may be added later
  std::map<std::uint64_t, Module> m_modules; // by start
  std::deque<detail::UnitIndex> m_indexes;
  std::unordered_map<std::uint64_t, std::vector<Frame>> m_cache;
};

void Resolver::Impl::add(const MappedModule& mapped) {
  const auto [place, fresh] = m_modules.try_emplace(mapped.start);
  if (!fresh && place->second.mapped.path == mapped.path) return;
  Module& module = place->second;
  close_file(module);
  module = Module{};
  module.mapped = mapped;
  module.system = is_system_module(mapped.path);
  module.file = open(mapped.path.c_str(), O_RDONLY | O_CLOEXEC);
  m_cache.clear();
}

void Resolver::Impl::close_file(Module& module) {
  if (module.file >= 0) close(std::exchange(module.file, -1));
}

void Resolver::Impl::read(Module& module) {
  if (module.file < 0) return;
  GElf_Addr bias = 0;
  GElf_Addr first_address = 0;
  Dwfl* const session =
      load_bias(module.mapped, module.file, bias, first_address) ? dwfl_begin(&m_callbacks) : nullptr;
  if (session == nullptr) return close_file(module);
  m_sessions.push_back(session);
  dwfl_report_begin(session);
  const char* const path = module.mapped.path.c_str();
  module.dwfl = dwfl_report_elf(session, path, path, module.file, bias + first_address, false);
  dwfl_report_end(session, nullptr, nullptr);
  if (module.dwfl == nullptr) return close_file(module);
  module.file = -1; // it is the session's
}

Resolver::Impl::Module* Resolver::Impl::module_of(std::uint64_t pc) {
  const auto after = m_modules.upper_bound(pc);
  if (after == m_modules.begin()) return nullptr;
  Module& module = std::prev(after)->second;
  if (pc >= module.mapped.end) return nullptr;
  read(module);
  return &module;
}

void Resolver::Impl::read_units(Module& module) {
  module.units_read = true;
  if (module.dwfl == nullptr || dwfl_module_getdwarf(module.dwfl, &module.bias) == nullptr) return;
  Dwarf_Die* unit = nullptr;
  Dwarf_Addr bias = 0;
  while ((unit = dwfl_module_nextcu(module.dwfl, unit, &bias)) != nullptr) {
    module.bias = bias;
    detail::UnitIndex* index = nullptr;
    Dwarf_Addr base = 0;
    Dwarf_Addr low = 0;
    Dwarf_Addr high = 0;
    for (ptrdiff_t at = dwarf_ranges(unit, 0, &base, &low, &high); at > 0;
         at = dwarf_ranges(unit, at, &base, &low, &high)) {
      if (low >= high) continue;
      if (index == nullptr) index = &m_indexes.emplace_back(*unit);
      module.units.push_back({low, high, index});
    }
  }
  std::sort(module.units.begin(), module.units.end(),
            [](const Unit& a, const Unit& b) { return a.low < b.low; });
}

detail::UnitIndex* Resolver::Impl::unit_of(Module& module, Dwarf_Addr address) {
  const auto after = std::upper_bound(module.units.begin(), module.units.end(), address,
                                      [](Dwarf_Addr value, const Unit& unit) { return value < unit.low; });
  if (after == module.units.begin()) return nullptr;
  const Unit& unit = *std::prev(after);
  return address < unit.high ? unit.index : nullptr;
}

void Resolver::Impl::fill(Frame& frame, const Module& module) const {
  frame.module = module.mapped.path;
  frame.system_header = module.system || is_system_file(frame.file);
}

std::vector<Frame> Resolver::Impl::resolve(std::uint64_t pc) {
  Module* module = module_of(pc);
  if (module == nullptr) {
    Frame unknown;
    unknown.system_header = true;
    return {unknown};
  }
  if (!module->units_read) read_units(*module);
  const Dwarf_Addr address = pc - module->bias;
  detail::UnitIndex* unit = unit_of(*module, address);
  const char* symbol = module->dwfl == nullptr ? nullptr : dwfl_module_addrname(module->dwfl, pc);

  Frame here;
  if (unit != nullptr) {
    if (Dwarf_Line* row = dwarf_getsrc_die(unit->unit(), address)) {
      int number = 0;
      here.file = unit->absolute(dwarf_linesrc(row, nullptr, nullptr));
      if (dwarf_lineno(row, &number) == 0) here.line = static_cast<unsigned>(number);
      if (dwarf_linecol(row, &number) == 0) here.column = static_cast<unsigned>(number);
    }
  }
  std::vector<Frame> frames;
  std::vector<Dwarf_Die> scopes = unit == nullptr ? std::vector<Dwarf_Die>{} : unit->scopes(address);
  for (Dwarf_Die& scope : scopes) {
    here.function = unit->function_name(&scope);
    const bool inlined = dwarf_tag(&scope) == DW_TAG_inlined_subroutine;
    if (!inlined && symbol != nullptr && here.function.find("operator()") == 0) {
      here.function = detail::demangled(symbol);
    }
    fill(here, *module);
    frames.push_back(here);
    if (!inlined) break;
    here = Frame{};
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    const auto read = [&](unsigned name) {
      value = 0;
      if (dwarf_attr(&scope, name, &attribute) == nullptr) return false;
      return dwarf_formudata(&attribute, &value) == 0;
    };
    if (read(DW_AT_call_file)) here.file = unit->file(value);
    if (read(DW_AT_call_line)) here.line = static_cast<unsigned>(value);
    if (read(DW_AT_call_column)) here.column = static_cast<unsigned>(value);
  }
  if (frames.empty()) {
    here.function = symbol == nullptr ? "" : detail::demangled(symbol);
    fill(here, *module);
    frames.push_back(here);
  }
  return frames;
}

Resolver::Resolver(const std::vector<MappedModule>& modules) : m_impl(std::make_unique<Impl>()) {
  elf_version(EV_CURRENT);
  add_modules(modules);
}
Resolver::~Resolver() = default;
Resolver::Resolver(Resolver&&) noexcept = default;
Resolver& Resolver::operator=(Resolver&&) noexcept = default;

void Resolver::add_modules(const std::vector<MappedModule>& modules) {
  for (const MappedModule& mapped : modules) m_impl->add(mapped);
}

std::vector<Frame> Resolver::frames(std::uint64_t pc) {
  const auto [place, fresh] = m_impl->m_cache.try_emplace(pc);
  if (fresh) place->second = m_impl->resolve(pc);
  return place->second;
}

Resolver::Impl::Module* Resolver::Impl::module_of_data(std::uint64_t address) {
  for (auto& [start, module] : m_modules) {
    read(module);
    if (module.dwfl == nullptr) continue;
    Dwarf_Addr low = 0;
    Dwarf_Addr high = 0;
    dwfl_module_info(module.dwfl, nullptr, &low, &high, nullptr, nullptr, nullptr, nullptr);
    if (address >= low && address < high) return &module;
  }
  return nullptr;
}

std::string Resolver::variable(std::uint64_t address) {
  Impl::Module* const module = m_impl->module_of_data(address);
  return module == nullptr ? "" : module->variables.at(module->dwfl, address);
}

std::string Resolver::data_symbol(std::uint64_t address) {
  Impl::Module* const module = m_impl->module_of_data(address);
  return module == nullptr ? "" : module->variables.symbol_at(module->dwfl, address);
}

} // namespace reex
