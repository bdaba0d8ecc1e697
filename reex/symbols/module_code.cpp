#include "reex/symbols/module_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <optional>

#include <Zydis/Zydis.h>
#include <dwarf.h>

#include "reex/symbols/resolver.h"
#include "reex/symbols/split_unit.h"

namespace reex::detail {
namespace {

// Of the compiler and the languages' libraries, where they are linked statically.
constexpr auto k_known_functions = std::to_array<std::string_view>(
    {"_start",
     "_init",
     "_fini",
     "_dl_relocate_static_pie",
     "atexit",
     "at_quick_exit",
     "pthread_atfork",
     "__",
     "_Unwind_",
     "execute_native_thread_routine",
     "gcov_", // what counts for --coverage
     "mangle_path",
     "llvm_gcda",
     "llvm_gcov",
     "llvm_delete_",
     "llvm_register_",
     "llvm_reset_",
     "llvm_writeout_",
     "lprof",
     "_ZL23__gxx_exception_cleanup",
     "_ZL33__gxx_dependent_exception_cleanup",
     "_ZZNSt",
     "_Zn",
     "_Zd",
     "_ZTv",
     "_ZTh",
     "_ZGTt",
     "_ZSt",
     "_ZNS",
     "_ZNKS", // S: std and what has a code of its own in it, as strings and streams
     "_ZN9__gnu_cxx",
     "_ZNK9__gnu_cxx",
     "_ZN10__cxxabi",
     "_ZNK10__cxxabi",
     "_ZN7testing",
     "_ZNK7testing",
     "_ZN5Catch",
     "_ZNK5Catch",
     "_ZN7doctest",
     "_ZNK7doctest",
     "_ZN5boost9unit_test"});
constexpr std::array<std::string_view, 4> k_known_folders = {"/libsanitizer/", "/libgcc/", "/compiler-rt/",
                                                             "/csu/"};

// First bytes of instructions with an operand in memory.
constexpr std::string_view k_moves = "\x29\x2b\x39\x3b\x83\x81\x87\x88\x89\x8a\x8b\xc6\xc7";
constexpr std::string_view k_arithmetic = "\x01\x03\xfe\xff";
constexpr unsigned char k_lock = 0xf0;
constexpr unsigned char k_call = 0xe8;

std::uint64_t slot_of(const char* instruction, std::uint64_t next) {
  std::int32_t displacement = 0;
  std::memcpy(&displacement, instruction, sizeof displacement);
  return next + static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
}

bool is_hook(std::string_view name) { return name.starts_with("__tsan_"); }
bool is_access_hook(std::string_view name) {
  constexpr std::array<std::string_view, 3> k_others{"__tsan_init", "__tsan_func_", "__tsan_thread_"};
  return is_hook(name) && std::none_of(k_others.begin(), k_others.end(),
                                       [&](std::string_view other) { return name.starts_with(other); });
}

bool in_one_of(const std::vector<CodeRange>& ranges, std::uint64_t address) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodeRange& range) { return address >= range.low && address < range.high; });
}

// Calls visit(address of the instruction, address of the operand) for each that looks like an opcode of
// `length` bytes, of which this is the first, with an operand of four bytes relative to the next instruction.
template <typename Visit>
void each(const CodeSection& section, char opcode, std::size_t length, const Visit& visit) {
  const std::string_view bytes = section.bytes;
  for (std::size_t i = bytes.find(opcode); i != std::string_view::npos; i = bytes.find(opcode, i + 1)) {
    const std::size_t end = i + length + sizeof(std::int32_t);
    if (end > bytes.size()) return;
    visit(section.range.low + i, slot_of(bytes.data() + i + length, section.range.low + end));
  }
}

// Where the opcode of each instruction ends, and its lock; nothing if not all of the code decodes.
std::optional<std::vector<std::size_t>> ends_of_opcodes(std::string_view code) {
  ZydisDecoder decoder;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < code.size();) {
    ZydisDecodedInstruction instruction;
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeInstruction(&decoder, nullptr, code.data() + i, code.size() - i, &instruction)))
      return std::nullopt;
    for (std::size_t prefix = 0; prefix < instruction.raw.prefix_count; ++prefix)
      if (instruction.raw.prefixes[prefix].value == k_lock) ends.push_back(i + prefix);
    if ((instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0)
      ends.push_back(i + instruction.raw.modrm.offset - 1);
    else if (instruction.opcode == k_call)
      ends.push_back(i + instruction.raw.imm[0].offset - 1);
    i += instruction.length;
  }
  return ends;
}

std::string text_of(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  const char* text = dwarf_formstring(dwarf_attr(die, name, &attribute));
  return text == nullptr ? "" : text;
}

std::string source_of(Dwarf_Die* whole, Dwarf_Die* unit) {
  const std::string name = text_of(whole, DW_AT_name);
  if (name.empty()) return "";
  return (std::filesystem::path(text_of(unit, DW_AT_comp_dir)) / name).lexically_normal().string();
}

// Of a function in no namespace.
std::string_view unmangled(std::string_view name) {
  if (!name.starts_with("_Z")) return name;
  const std::size_t end = name.find_first_not_of("0123456789", 2);
  return end == std::string_view::npos ? "" : name.substr(end);
}

// What the linker has left out of the file begins at zero.
std::vector<CodeRange> ranges_of(Dwarf_Die* unit) {
  std::vector<CodeRange> ranges;
  Dwarf_Addr base = 0;
  Dwarf_Addr low = 0;
  Dwarf_Addr high = 0;
  for (std::ptrdiff_t next = 0; (next = dwarf_ranges(unit, next, &base, &low, &high)) > 0;)
    if (low != 0 && high > low) ranges.push_back({low, high});
  return ranges;
}

} // namespace

ModuleCode::ModuleCode(Elf* elf) : m_elf(elf) {
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if ((header.sh_flags & SHF_EXECINSTR) != 0 && !add_code(section, header)) return;
    if ((header.sh_flags & (SHF_WRITE | SHF_ALLOC)) == (SHF_WRITE | SHF_ALLOC))
      add_data(elf_strptr(elf, names, header.sh_name), {header.sh_addr, header.sh_addr + header.sh_size});
    if (header.sh_type == SHT_RELA) find_slots(section, header);
    if (header.sh_type == SHT_SYMTAB) find_functions(section, header);
  }
  if (m_code.empty()) return;
  std::sort(m_functions.begin(), m_functions.end(),
            [](const CodeFunction& a, const CodeFunction& b) { return a.range.low < b.range.low; });
  for (HookCalls* const hooks : {&m_hooks, &m_access_hooks}) {
    find_stubs(*hooks);
    find_calls(*hooks);
  }
  m_is_read = true;
}

bool ModuleCode::may_access(const CodeRange& range) const {
  const std::string_view bytes = code(range);
  bool may = false;
  for (std::size_t i = 0; !may && i < bytes.size(); ++i) may = looks_like_access(range, bytes, i);
  if (!may) return false;
  // It may be in the middle of an instruction: of an address, a constant.
  const auto opcodes = ends_of_opcodes(bytes);
  return !opcodes || std::any_of(opcodes->begin(), opcodes->end(),
                                 [&](std::size_t at) { return looks_like_access(range, bytes, at); });
}

bool ModuleCode::looks_like_access(const CodeRange& range, std::string_view bytes, std::size_t at) const {
  constexpr std::size_t k_operand = 4;
  const auto byte = [&](std::size_t where) { return static_cast<unsigned char>(bytes[where]); };
  if (at + 1 >= bytes.size()) return false;
  if (byte(at) == k_lock) return true;
  if (byte(at) == k_call && at + k_operand < bytes.size() &&
      in_code(slot_of(bytes.data() + at + 1, range.low + at + 1 + k_operand)))
    return true;
  const unsigned mode = byte(at + 1) >> 6;
  const unsigned base = byte(at + 1) & 7;
  if (mode != 0 || base == 4) return false;
  const bool moves = k_moves.find(bytes[at]) != std::string_view::npos;
  if (base != 5) return moves; // bytes that are seldom part of a constant
  return (moves || k_arithmetic.find(bytes[at]) != std::string_view::npos) &&
         at + 1 + k_operand < bytes.size() &&
         in_data(slot_of(bytes.data() + at + 2, range.low + at + 2 + k_operand));
}

bool ModuleCode::add_code(Elf_Scn* section, const GElf_Shdr& header) {
  const Elf_Data* data = elf_rawdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return header.sh_size == 0;
  m_code.push_back({{header.sh_addr, header.sh_addr + data->d_size},
                    {static_cast<const char*>(data->d_buf), data->d_size}});
  return true;
}

void ModuleCode::add_data(const char* name, const CodeRange& range) {
  m_data.push_back(range);
  if (name != nullptr &&
      (std::string_view(name).starts_with(".data") || std::string_view(name).starts_with(".bss")) &&
      !std::string_view(name).starts_with(".data.rel.ro"))
    m_variables.push_back(range);
}

void ModuleCode::find_slots(Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  Elf_Scn* symbols = elf_getscn(m_elf, header.sh_link);
  GElf_Shdr symbols_header;
  if (data == nullptr || header.sh_entsize == 0 || gelf_getshdr(symbols, &symbols_header) == nullptr) return;
  Elf_Data* table = elf_getdata(symbols, nullptr);
  for (int i = 0; table != nullptr && i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Rela entry;
    GElf_Sym symbol;
    if (gelf_getrela(data, i, &entry) == nullptr || GELF_R_SYM(entry.r_info) == 0 ||
        gelf_getsym(table, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol) == nullptr)
      continue;
    const char* name = elf_strptr(m_elf, symbols_header.sh_link, symbol.st_name);
    if (name == nullptr) continue;
    if (is_hook(name)) m_hooks.slots.add(entry.r_offset);
    if (is_access_hook(name)) m_access_hooks.slots.add(entry.r_offset);
  }
}

void ModuleCode::find_functions(Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
        symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0)
      continue;
    const char* name = elf_strptr(m_elf, header.sh_link, symbol.st_name);
    if (name == nullptr) continue;
    if (is_hook(name)) m_hooks.stubs.add(symbol.st_value);
    if (is_access_hook(name)) m_access_hooks.stubs.add(symbol.st_value);
    m_functions.push_back({{symbol.st_value, symbol.st_value + symbol.st_size},
                           name,
                           GELF_ST_BIND(symbol.st_info) != STB_LOCAL});
  }
}

// Calls and jumps through slots. The jumps are those of the procedure linkage table, too, where one begins up
// to ten bytes before its jump (mold's).
void ModuleCode::find_stubs(HookCalls& hooks) {
  constexpr char k_call = '\x15';
  constexpr char k_jump = '\x25';
  constexpr std::uint64_t k_before_jump = 10;
  hooks.slots.close();
  for (const CodeSection& section : m_code)
    each(section, '\xff', 2, [&](std::uint64_t at, std::uint64_t slot) {
      const char second = section.bytes[at + 1 - section.range.low];
      if ((second != k_call && second != k_jump) || !hooks.slots.contains(slot)) return;
      hooks.calls.push_back(at);
      for (std::uint64_t start = at - k_before_jump; second == k_jump && start <= at; ++start)
        hooks.stubs.add(start);
    });
  hooks.stubs.close();
}

void ModuleCode::find_calls(HookCalls& hooks) {
  for (const CodeSection& section : m_code)
    for (const char opcode : {'\xe8', '\xe9'})
      each(section, opcode, 1, [&](std::uint64_t at, std::uint64_t target) {
        if (hooks.stubs.contains(target)) hooks.calls.push_back(at);
      });
  std::sort(hooks.calls.begin(), hooks.calls.end());
}

std::string_view ModuleCode::code(const CodeRange& range) const {
  for (const CodeSection& section : m_code)
    if (range.low >= section.range.low && range.high <= section.range.high)
      return section.bytes.substr(range.low - section.range.low, range.high - range.low);
  return {};
}

bool ModuleCode::in_code(std::uint64_t address) const {
  return std::any_of(m_code.begin(), m_code.end(), [&](const CodeSection& section) {
    return address >= section.range.low && address < section.range.high;
  });
}

bool ModuleCode::in_data(std::uint64_t address) const { return in_one_of(m_data, address); }
bool ModuleCode::in_variables(std::uint64_t address) const { return in_one_of(m_variables, address); }

std::vector<CodeUnit> units_of(Dwarf* dwarf) {
  std::vector<CodeUnit> units;
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    if (dwarf_tag(&die) != DW_TAG_compile_unit && dwarf_tag(&die) != DW_TAG_skeleton_unit) continue;
    Dwarf_Die whole = whole_unit(die);
    units.push_back({die, source_of(&whole, &die), text_of(&whole, DW_AT_producer), ranges_of(&die)});
  }
  return units;
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
  if (const std::string_view simple = unmangled(name); simple.starts_with("_txnal_"))
    return true; // libstdc++'s
  return std::any_of(k_known_functions.begin(), k_known_functions.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

} // namespace reex::detail
