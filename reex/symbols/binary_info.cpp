#include "reex/symbols/binary_info.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reex/frameworks/table.h"
#include "reex/symbols/line_header.h"
#include "reex/symbols/md5.h"
#include "reex/symbols/split_unit.h"
#include "reex/symbols/user_libraries.h"

namespace reex {
namespace {

using ElfPointer = std::unique_ptr<Elf, int (*)(Elf*)>;
using DwflPointer = std::unique_ptr<Dwfl, void (*)(Dwfl*)>;

constexpr std::string_view k_hook = "__tsan_";

struct Sections {
  std::string_view line, line_str, str;
};

std::string_view bytes_of(Elf_Scn* section) {
  GElf_Shdr header;
  if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS) return {};
  if ((header.sh_flags & SHF_COMPRESSED) != 0) elf_compress(section, 0, 0);
  const Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

void read_notes(std::string_view notes, BinaryInfo& info) {
  GElf_Nhdr header;
  while (notes.size() >= sizeof header) {
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    const std::size_t name = (header.n_namesz + 3U) & ~3U;
    const std::size_t value = (header.n_descsz + 3U) & ~3U;
    if (name + value > notes.size()) return;
    if (header.n_type == NT_GNU_BUILD_ID && notes.substr(0, 4) == std::string_view("GNU\0", 4)) {
      static constexpr char k_digits[] = "0123456789abcdef";
      info.build_id.clear();
      for (const char c : notes.substr(name, header.n_descsz)) {
        const auto byte = static_cast<unsigned char>(c);
        info.build_id += {k_digits[byte >> 4], k_digits[byte & 15]};
      }
    }
    notes.remove_prefix(name + value);
  }
}

Framework framework_with(const auto& property) {
  const auto rows = frameworks();
  const auto found = std::find_if(rows.begin(), rows.end(), property);
  return found == rows.end() ? Framework::none : found->framework;
}

bool contains_any(std::string_view name, const std::vector<std::string_view>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

// Whether the condition holds for a symbol of the section: condition(name, symbol).
template <typename Condition>
bool any_symbol(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, const Condition& condition) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  const int count = static_cast<int>(header.sh_size / header.sh_entsize);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) continue;
    const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text != nullptr && condition(std::string_view(text), symbol)) return true;
  }
  return false;
}

void read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, BinaryInfo& info) {
  any_symbol(elf, section, header, [&](std::string_view name, const GElf_Sym& symbol) {
    if (name.starts_with(k_hook)) {
      info.instrumented = true;
      if (name == "__tsan_init" && symbol.st_shndx != SHN_UNDEF) info.contains_tsan = true;
    } else if (name == "__asan_init") {
      info.asan = true;
    } else if (name.starts_with("__assert_fail")) { // static symbols may have a version behind them
      info.asserts = true;
    } else if (info.framework == Framework::none) {
      info.framework =
          framework_with([&](const FrameworkRow& row) { return contains_any(name, row.symbols); });
    }
    return false;
  });
}

bool read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, BinaryInfo& info) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  bool pie = false;
  for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, i, &entry) == nullptr || entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_FLAGS_1) pie = (entry.d_un.d_val & DF_1_PIE) != 0;
    if (entry.d_tag != DT_NEEDED) continue;
    const char* name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (name == nullptr) continue;
    const std::string_view library = name;
    if (library.starts_with("libtsan")) info.links_tsan = true;
    if (library.starts_with("libcriterion.")) info.criterion = true;
    if (info.framework == Framework::none)
      info.framework = framework_with(
          [&](const FrameworkRow& row) { return !row.library.empty() && library.starts_with(row.library); });
  }
  return pie;
}

// Whether its functions have names. A shared library may hold main() of a program, and is recognized as one.
bool names_main(Elf* elf) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_SYMTAB &&
        any_symbol(elf, section, header,
                   [](std::string_view name, const GElf_Sym&) { return name == "main"; }))
      return true;
  }
  return false;
}

// The framework whose text is among the constants of a program: what is left of it without a symbol table.
Framework framework_by_text(Elf* elf) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    const bool constants = gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_PROGBITS &&
                           (header.sh_flags & SHF_ALLOC) != 0 && (header.sh_flags & SHF_EXECINSTR) == 0;
    if (!constants) continue;
    const std::string_view bytes = bytes_of(section);
    const Framework found = framework_with(
        [&](const FrameworkRow& row) { return bytes.find(row.text) != std::string_view::npos; });
    if (found != Framework::none) return found;
  }
  return Framework::none;
}

void read_sections(Elf* elf, BinaryInfo& info, bool& pie) {
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type == SHT_NOTE) read_notes(bytes_of(section), info);
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
      read_symbols(elf, section, header, info);
    if (header.sh_type == SHT_DYNAMIC) pie = read_dynamic(elf, section, header, info);
    if (const char* name = elf_strptr(elf, names, header.sh_name); name != nullptr)
      info.go = info.go || std::string_view(name) == ".go.buildinfo";
  }
}

std::string loader_of(Elf* elf) {
  std::size_t count = 0;
  std::size_t size = 0;
  elf_getphdrnum(elf, &count);
  const char* bytes = elf_rawfile(elf, &size);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_INTERP) continue;
    if (bytes == nullptr || header.p_offset >= size) return "";
    const std::string_view rest(bytes + header.p_offset, size - header.p_offset);
    return std::string(rest.substr(0, std::min<std::size_t>(rest.find('\0'), header.p_filesz)));
  }
  return "";
}

Sections debug_sections(Elf* elf) {
  Sections found;
  std::size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* text = elf_strptr(elf, names, header.sh_name);
    const std::string_view name = text == nullptr ? "" : text;
    if (name == ".debug_line") found.line = bytes_of(section);
    if (name == ".debug_line_str") found.line_str = bytes_of(section);
    if (name == ".debug_str") found.str = bytes_of(section);
  }
  return found;
}

std::string normal(const std::string& path, const std::string& folder) {
  const auto has = [&](const char* part) { return path.find(part) != std::string::npos; };
  if (path.starts_with('/') && !has("//") && !has("/.")) return path; // as nearly all are
  std::filesystem::path result(path);
  if (result.is_relative() && !folder.empty()) result = std::filesystem::path(folder) / result;
  return result.lexically_normal().string();
}

CompileUnit read_unit(Dwarf_Die* die, const std::map<std::string, std::string>& md5s,
                      const std::string& module) {
  CompileUnit unit;
  unit.module = module;
  Dwarf_Attribute attribute;
  Dwarf_Die whole = detail::whole_unit(*die);
  const auto text = [&](Dwarf_Die* of, unsigned name) -> std::string {
    const char* value = dwarf_formstring(dwarf_attr(of, name, &attribute));
    return value == nullptr ? "" : value;
  };
  unit.split = whole.addr != die->addr;
  unit.comp_dir = text(die, DW_AT_comp_dir);
  unit.producer = text(&whole, DW_AT_producer);
  Dwarf_Half version = 0;
  if (dwarf_cu_info(die->cu, &version, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 0)
    unit.dwarf = version;
  if (const std::string source = text(&whole, DW_AT_name); !source.empty())
    unit.name = normal(source, unit.comp_dir);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(die, &files, &count) != 0) return unit;
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = dwarf_filesrc(files, i, nullptr, nullptr);
    if (name == nullptr || std::string_view(name) == "???" || name[0] == '<') continue;
    const std::string path = normal(name, unit.comp_dir);
    const auto known = std::find_if(unit.files.begin(), unit.files.end(),
                                    [&](const SourceFile& file) { return file.path == path; });
    if (known != unit.files.end()) continue;
    auto md5 = md5s.find(path);
    unit.files.push_back({path, md5 == md5s.end() ? "" : md5->second});
  }
  return unit;
}

// The compile units of a program or a library.
std::vector<CompileUnit> read_units(const std::string& path) {
  std::vector<CompileUnit> units;
  Dwfl_Callbacks callbacks = {};
  callbacks.find_debuginfo = dwfl_build_id_find_debuginfo;
  callbacks.section_address = dwfl_offline_section_address;
  const DwflPointer session(dwfl_begin(&callbacks), dwfl_end);
  if (!session) return units;
  dwfl_report_begin(session.get());
  Dwfl_Module* module = dwfl_report_offline(session.get(), path.c_str(), path.c_str(), -1);
  dwfl_report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = module == nullptr ? nullptr : dwfl_module_getdwarf(module, &bias);
  if (dwarf == nullptr) return units;
  std::map<std::string, std::string> md5s;
  const Sections sections = debug_sections(dwarf_getelf(dwarf));
  for (auto& [file, md5] : detail::line_table_md5s(sections.line, sections.line_str, sections.str)) {
    md5s[normal(file, "")] = md5;
  }
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
    units.push_back(read_unit(unit, md5s, path));
  return units;
}

} // namespace

std::vector<const CompileUnit*> BinaryInfo::units_of(const std::string& path_of_file) const {
  std::vector<const CompileUnit*> found;
  for (const CompileUnit& unit : units) {
    const bool names = std::any_of(unit.files.begin(), unit.files.end(),
                                   [&](const SourceFile& file) { return file.path == path_of_file; });
    if (names || unit.name == path_of_file) found.push_back(&unit);
  }
  return found;
}

namespace {

// What tells one content of a file from another one.
struct FileStamp {
  std::string path;
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t written = 0; // ns
  auto operator<=>(const FileStamp&) const = default;
};

FileStamp stamp_of(const std::string& path) {
  constexpr std::int64_t k_second = 1'000'000'000;
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return {path};
  return {path, status.st_dev, status.st_ino, status.st_size,
          status.st_mtim.tv_sec * k_second + status.st_mtim.tv_nsec};
}

// Of the program and the libraries of the user that it starts with.
std::vector<FileStamp> stamps_of(const std::string& path) {
  std::vector<FileStamp> stamps = {stamp_of(path)};
  if (stamps.front().inode == 0) return {};
  for (const std::string& library : user_libraries(path)) stamps.push_back(stamp_of(library));
  return stamps;
}

struct KnownBinary {
  std::vector<FileStamp> stamps;
  BinaryInfo info;
};

BinaryInfo read_anew(const std::string& path) {
  BinaryInfo info;
  info.path = path;
  elf_version(EV_CURRENT);
  const int descriptor = open(info.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    info.error = "cannot be opened: " + std::string(std::strerror(errno));
    return info;
  }
  {
    const ElfPointer elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr), elf_end);
    GElf_Ehdr header;
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr) {
      info.error = "is not an ELF file";
    } else {
      bool pie = false;
      info.x86_64 = header.e_machine == EM_X86_64;
      info.loader = loader_of(elf.get());
      info.is_static = info.loader.empty();
      read_sections(elf.get(), info, pie);
      if (info.framework == Framework::none && !names_main(elf.get()))
        info.framework = framework_by_text(elf.get());
      info.executable = header.e_type == ET_EXEC || (header.e_type == ET_DYN && (!info.is_static || pie));
    }
  }
  close(descriptor);
  if (!info.error.empty()) return info;
  info.units = read_units(info.path);
  info.has_debug_info = !info.units.empty();
  if (info.executable && !info.is_static)
    for (const std::string& library : user_libraries(info.path)) {
      std::vector<CompileUnit> units = read_units(library);
      info.units.insert(info.units.end(), std::make_move_iterator(units.begin()),
                        std::make_move_iterator(units.end()));
    }
  return info;
}

} // namespace

BinaryInfo read_binary_info(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, KnownBinary> known;
  std::error_code error;
  std::string whole = std::filesystem::weakly_canonical(path, error).string();
  if (error) whole = path;
  const std::vector<FileStamp> stamps = stamps_of(whole);
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(whole);
      found != known.end() && !stamps.empty() && found->second.stamps == stamps)
    return found->second.info;
  BinaryInfo info = read_anew(whole);
  // What is written meanwhile is read again, and so is what other files tell.
  if (info.error.empty() && stamps_of(whole) == stamps &&
      std::none_of(info.units.begin(), info.units.end(), [](const CompileUnit& unit) { return unit.split; }))
    known[whole] = {stamps, info};
  return info;
}

bool is_instrumented(const std::string& path) {
  bool found = false;
  elf_version(EV_CURRENT);
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  if (const ElfPointer elf(elf_begin(descriptor, ELF_C_READ_MMAP, nullptr), elf_end); elf)
    for (Elf_Scn* section = nullptr; !found && (section = elf_nextscn(elf.get(), section)) != nullptr;) {
      GElf_Shdr header;
      found = gelf_getshdr(section, &header) != nullptr &&
              (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) &&
              any_symbol(elf.get(), section, header,
                         [](std::string_view name, const GElf_Sym&) { return name.starts_with(k_hook); });
    }
  close(descriptor);
  return found;
}

bool is_system_library(const std::string& path) {
  return path.starts_with("/lib") || path.starts_with("/usr/lib");
}

std::string md5_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  return md5_hex(std::string(std::istreambuf_iterator<char>(file), {}));
}

} // namespace reex
