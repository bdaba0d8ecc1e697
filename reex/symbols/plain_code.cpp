#include "reex/symbols/plain_code.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "reex/symbols/resolver.h"
#include "reex/symbols/unit_index.h"

namespace reex {
namespace {

constexpr std::string_view k_hook = "__tsan_";

// Of the compiler and the languages' libraries, where they are linked statically.
constexpr std::array<std::string_view, 31> k_known_functions = {"_start",
                                                                "_init",
                                                                "_fini",
                                                                "_dl_relocate_static_pie",
                                                                "atexit",
                                                                "at_quick_exit",
                                                                "__libc_",
                                                                "pthread_atfork",
                                                                "_ZNSt",
                                                                "_ZNKSt",
                                                                "_ZSt",
                                                                "_ZTv",
                                                                "_ZTh",
                                                                "_Zn",
                                                                "_Zd",
                                                                "_ZN9__gnu_cxx",
                                                                "_ZNK9__gnu_cxx",
                                                                "_ZN10__cxxabi",
                                                                "_ZGTt",
                                                                "_ZN7testing",
                                                                "_ZNK7testing",
                                                                "_ZN5Catch",
                                                                "_ZNK5Catch",
                                                                "_ZN7doctest",
                                                                "_ZNK7doctest",
                                                                "_ZN5boost9unit_test",
                                                                "__cxa_",
                                                                "__gxx_",
                                                                "_Unwind_",
                                                                "__",
                                                                "_ZNK10__cxxabi"};
constexpr std::array<std::string_view, 4> k_known_folders = {"/libsanitizer/", "/libgcc/", "/compiler-rt/",
                                                             "/csu/"};

// First bytes of instructions with an operand in memory.
constexpr std::string_view k_moves = "\x29\x2b\x39\x3b\x83\x81\x87\x88\x89\x8a\x8b\xc6\xc7";
constexpr std::string_view k_arithmetic = "\x01\x03\xfe\xff";

struct Range {
  std::uint64_t low;
  std::uint64_t high;
};

struct Section {
  Range range;
  std::string_view bytes;
};

struct Function {
  Range range;
  std::string name;
};

std::uint64_t slot_of(const char* instruction, std::uint64_t next) {
  std::int32_t displacement = 0;
  std::memcpy(&displacement, instruction, sizeof displacement);
  return next + static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
}

class Module {
public:
  explicit Module(Elf* elf) : m_elf(elf) {
    std::size_t names = 0;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr) continue;
      if ((header.sh_flags & SHF_EXECINSTR) != 0 && !add_code(section, header)) return;
      if ((header.sh_flags & (SHF_WRITE | SHF_ALLOC)) == (SHF_WRITE | SHF_ALLOC))
        m_data.push_back({header.sh_addr, header.sh_addr + header.sh_size});
      if (header.sh_type == SHT_RELA) find_slots(section, header);
      if (header.sh_type == SHT_SYMTAB) find_functions(section, header);
    }
    if (m_code.empty()) return;
    find_hook_stubs();
    find_hook_calls();
    m_is_read = true;
  }

  bool is_read() const { return m_is_read; } // all of its code

  const std::vector<Function>& functions() const { return m_functions; }
  bool has_hooks() const { return !m_hook_calls.empty(); }

  bool calls_hooks(const Range& range) const {
    const auto found = std::lower_bound(m_hook_calls.begin(), m_hook_calls.end(), range.low);
    return found != m_hook_calls.end() && *found < range.high;
  }

  // A guess from the bytes, made where no hook is called: a call, an atomic instruction, an operand in the
  // module's data, or one behind a pointer.
  bool may_access(const Range& range) const {
    const std::string_view bytes = code(range);
    constexpr unsigned k_operand = 4;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
      const auto at = [&](std::size_t where) { return static_cast<unsigned char>(bytes[where]); };
      if (at(i) == 0xf0) return true;
      if (at(i) == 0xe8 && i + k_operand < bytes.size() &&
          in_code(slot_of(bytes.data() + i + 1, range.low + i + 1 + k_operand)))
        return true;
      const unsigned mode = at(i + 1) >> 6;
      const unsigned base = at(i + 1) & 7;
      if (mode != 0 || base == 4) continue;
      if (base != 5) { // bytes that are seldom part of a constant
        if (k_moves.find(bytes[i]) != std::string_view::npos) return true;
      } else if (k_moves.find(bytes[i]) != std::string_view::npos ||
                 k_arithmetic.find(bytes[i]) != std::string_view::npos) {
        if (i + 1 + k_operand < bytes.size() &&
            in_data(slot_of(bytes.data() + i + 2, range.low + i + 2 + k_operand)))
          return true;
      }
    }
    return false;
  }

private:
  bool add_code(Elf_Scn* section, const GElf_Shdr& header) {
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return header.sh_size == 0;
    m_code.push_back({{header.sh_addr, header.sh_addr + data->d_size},
                      {static_cast<const char*>(data->d_buf), data->d_size}});
    return true;
  }

  // Where the loader puts the addresses of the hooks.
  void find_slots(Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = elf_getdata(section, nullptr);
    Elf_Scn* symbols = elf_getscn(m_elf, header.sh_link);
    GElf_Shdr symbols_header;
    if (data == nullptr || header.sh_entsize == 0 || gelf_getshdr(symbols, &symbols_header) == nullptr)
      return;
    Elf_Data* table = elf_getdata(symbols, nullptr);
    for (int i = 0; table != nullptr && i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
      GElf_Rela entry;
      GElf_Sym symbol;
      if (gelf_getrela(data, i, &entry) == nullptr || GELF_R_SYM(entry.r_info) == 0 ||
          gelf_getsym(table, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
        continue;
      const char* name = elf_strptr(m_elf, symbols_header.sh_link, symbol.st_name);
      if (name != nullptr && std::string_view(name).starts_with(k_hook)) m_slots.insert(entry.r_offset);
    }
  }

  void find_functions(Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
          symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
        continue;
      const char* name = elf_strptr(m_elf, header.sh_link, symbol.st_name);
      if (name == nullptr) continue;
      if (std::string_view(name).starts_with(k_hook)) m_stubs.insert(symbol.st_value);
      // Code without debug information always has a function for others, too.
      if (GELF_ST_BIND(symbol.st_info) != STB_LOCAL)
        m_functions.push_back({{symbol.st_value, symbol.st_value + symbol.st_size}, name});
    }
  }

  // Calls visit(address of the instruction, address of the operand) for each that looks like `opcode` with an
  // operand of four bytes relative to the next instruction.
  template <typename Visit>
  void each(std::string_view opcode, const Visit& visit) const {
    for (const Section& section : m_code)
      for (std::size_t i = section.bytes.find(opcode); i != std::string_view::npos;
           i = section.bytes.find(opcode, i + 1)) {
        const std::size_t end = i + opcode.size() + sizeof(std::int32_t);
        if (end > section.bytes.size()) break;
        visit(section.range.low + i,
              slot_of(section.bytes.data() + i + opcode.size(), section.range.low + end));
      }
  }

  // Jumps through a slot, of the procedure linkage table. One begins up to five bytes before its jump.
  void find_hook_stubs() {
    each("\xff\x25", [&](std::uint64_t at, std::uint64_t slot) {
      if (!m_slots.contains(slot)) return;
      for (std::uint64_t start = at - 5; start <= at; ++start) m_stubs.insert(start);
    });
  }

  void find_hook_calls() {
    for (const char* opcode : {"\xe8", "\xe9"})
      each(opcode, [&](std::uint64_t at, std::uint64_t target) {
        if (m_stubs.contains(target)) m_hook_calls.push_back(at);
      });
    for (const char* opcode : {"\xff\x15", "\xff\x25"})
      each(opcode, [&](std::uint64_t at, std::uint64_t slot) {
        if (m_slots.contains(slot)) m_hook_calls.push_back(at);
      });
    std::sort(m_hook_calls.begin(), m_hook_calls.end());
  }

  std::string_view code(const Range& range) const {
    for (const Section& section : m_code)
      if (range.low >= section.range.low && range.high <= section.range.high)
        return section.bytes.substr(range.low - section.range.low, range.high - range.low);
    return {};
  }

  bool in_code(std::uint64_t address) const {
    return std::any_of(m_code.begin(), m_code.end(), [&](const Section& section) {
      return address >= section.range.low && address < section.range.high;
    });
  }

  bool in_data(std::uint64_t address) const {
    return std::any_of(m_data.begin(), m_data.end(),
                       [&](const Range& range) { return address >= range.low && address < range.high; });
  }

  Elf* m_elf;
  bool m_is_read = false;
  std::vector<Section> m_code;
  std::vector<Range> m_data; // that can be written
  std::set<std::uint64_t> m_slots;
  std::set<std::uint64_t> m_stubs; // addresses whose call is a call of a hook
  std::vector<std::uint64_t> m_hook_calls;
  std::vector<Function> m_functions;
};

std::string text_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  const char* text = dwarf_formstring(dwarf_attr(die, name, &attribute));
  return text == nullptr ? "" : text;
}

std::string source_of(Dwarf_Die* unit) {
  const std::filesystem::path name = text_of(unit, DW_AT_name);
  return (std::filesystem::path(text_of(unit, DW_AT_comp_dir)) / name).lexically_normal().string();
}

bool is_known_source(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return is_system_file(path) || name.starts_with("gtest") || name.starts_with("gmock") ||
         name.starts_with("catch_") ||
         std::any_of(k_known_folders.begin(), k_known_folders.end(),
                     [&](std::string_view folder) { return path.find(folder) != std::string::npos; });
}

bool is_known_function(std::string_view name) {
  if (name == "main" || name == "DeleteThreadLocalValue") return true; // GoogleTest's, besides its namespace
  return std::any_of(k_known_functions.begin(), k_known_functions.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// What the linker has left out of the file begins at zero.
std::vector<Range> ranges_of(Dwarf_Die* unit) {
  std::vector<Range> ranges;
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (std::ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &low, &high)) > 0;)
    if (low != 0 && high > low) ranges.push_back({low, high});
  return ranges;
}

void judge_units(Dwarf* dwarf, const Module& module, std::vector<Range>& covered,
                 std::set<std::string>& found) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    if (dwarf_tag(&die) != DW_TAG_compile_unit && dwarf_tag(&die) != DW_TAG_skeleton_unit) continue;
    const std::vector<Range> ranges = ranges_of(&die);
    covered.insert(covered.end(), ranges.begin(), ranges.end());
    if (text_of(&die, DW_AT_producer).find("-fsanitize=thread") != std::string::npos) continue;
    if (std::any_of(ranges.begin(), ranges.end(),
                    [&](const Range& one) { return module.calls_hooks(one); }) ||
        std::none_of(ranges.begin(), ranges.end(), [&](const Range& one) { return module.may_access(one); }))
      continue;
    if (const std::string source = source_of(&die); !is_known_source(source)) found.insert(source);
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
    const Module module(elf.get());
    is_read = module.is_read();
    std::vector<Range> covered;
    if (const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr),
                                                            dwarf_end);
        dwarf)
      judge_units(dwarf.get(), module, covered, found);
    std::sort(covered.begin(), covered.end(), [](const Range& a, const Range& b) { return a.low < b.low; });
    for (const Function& function : module.functions()) {
      const auto after =
          std::upper_bound(covered.begin(), covered.end(), function.range.low,
                           [](std::uint64_t low, const Range& range) { return low < range.low; });
      if (after != covered.begin() && function.range.low < std::prev(after)->high) continue;
      if (is_known_function(function.name) || module.calls_hooks(function.range) ||
          !module.may_access(function.range))
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
