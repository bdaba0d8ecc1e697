#include "reex/symbols/linkage.h"

#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

namespace reex {
namespace {

// The functions return whether the table could be read.

bool read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Linkage& linkage) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) return false;
  for (int i = 1; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, i, &symbol) == nullptr) return false;
    const char* text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text == nullptr) return false;
    if (*text == '\0') continue;
    const std::string name = text;
    if (symbol.st_shndx != SHN_UNDEF)
      linkage.offered.insert(name);
    else
      linkage.wanted.push_back(name);
    linkage.instrumented = linkage.instrumented || (symbol.st_shndx == SHN_UNDEF && name == "__tsan_init");
  }
  return true;
}

bool read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Linkage& linkage) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr) return false;
  for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, i, &entry) == nullptr) return false;
    if (entry.d_tag == DT_NULL) return true;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_SONAME) continue;
    const char* text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (text == nullptr) return false;
    if (entry.d_tag == DT_NEEDED)
      linkage.needed.emplace_back(text);
    else
      linkage.name = text;
  }
  return true;
}

} // namespace

std::optional<Linkage> read_linkage(const std::string& path) {
  Linkage linkage;
  linkage.name = std::filesystem::path(path).filename().string();
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  bool has_symbols = false;
  bool has_dynamic = false;
  bool sound = true;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end); elf)
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
      GElf_Shdr header;
      sound = sound && gelf_getshdr(section, &header) != nullptr;
      if (!sound || header.sh_entsize == 0) continue;
      if (header.sh_type == SHT_DYNSYM) has_symbols = read_symbols(elf.get(), section, header, linkage);
      if (header.sh_type == SHT_DYNAMIC) has_dynamic = read_dynamic(elf.get(), section, header, linkage);
    }
  close(file);
  if (!sound || !has_symbols || !has_dynamic) return std::nullopt;
  return linkage;
}

} // namespace reex
