#include "reex/symbols/user_libraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "reex/symbols/binary_info.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

using Folders = std::vector<std::string>;

struct Dynamic {
  std::vector<std::string> needed;
  std::string rpath;
  std::string runpath;
};

void read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, Dynamic& dynamic) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (int i = 0; i < static_cast<int>(header.sh_size / header.sh_entsize); ++i) {
    GElf_Dyn entry;
    if (gelf_getdyn(data, i, &entry) == nullptr || entry.d_tag == DT_NULL) return;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
    const char* text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (entry.d_tag == DT_NEEDED) dynamic.needed.emplace_back(text);
    if (entry.d_tag == DT_RPATH) dynamic.rpath = text;
    if (entry.d_tag == DT_RUNPATH) dynamic.runpath = text;
  }
}

Dynamic dynamic_of(const std::string& path) {
  Dynamic dynamic;
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return dynamic;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end); elf)
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_DYNAMIC)
        read_dynamic(elf.get(), section, header, dynamic);
    }
  close(file);
  return dynamic;
}

// The folders of a list such as "$ORIGIN/../lib:/opt/lib".
Folders folders_of(const std::string& list, const std::string& origin) {
  Folders folders;
  std::istringstream parts(list);
  for (std::string folder; std::getline(parts, folder, ':');) {
    for (const std::string word : {"${ORIGIN}", "$ORIGIN"})
      for (std::size_t at = 0; (at = folder.find(word)) != std::string::npos;)
        folder.replace(at, word.size(), origin);
    folders.push_back(folder.empty() ? "." : folder);
  }
  return folders;
}

class Search {
public:
  Search() {
    if (const char* list = std::getenv("LD_LIBRARY_PATH"); list != nullptr)
      m_environment = folders_of(list, "");
  }

  // `inherited`: the folders of DT_RPATH of all that has led to this file, the nearest first.
  void add_needed_by(const std::string& path, const Folders& inherited) {
    const Dynamic dynamic = dynamic_of(path);
    const std::string origin = fs::path(path).parent_path().string();
    Folders rpath = folders_of(dynamic.rpath, origin);
    rpath.insert(rpath.end(), inherited.begin(), inherited.end());
    Folders folders;
    if (dynamic.runpath.empty()) folders = rpath; // DT_RUNPATH takes DT_RPATH's place
    folders.insert(folders.end(), m_environment.begin(), m_environment.end());
    for (std::string& folder : folders_of(dynamic.runpath, origin)) folders.push_back(std::move(folder));
    for (const std::string& name : dynamic.needed) {
      const std::string library = found(name, folders);
      if (library.empty() || is_system_library(library) || is_own(library)) continue;
      if (std::find(libraries.begin(), libraries.end(), library) != libraries.end()) continue;
      libraries.push_back(library);
      add_needed_by(library, rpath);
    }
  }

  std::vector<std::string> libraries;

private:
  static bool is_own(const std::string& library) {
    return fs::path(library).filename().string().starts_with("libreex_");
  }

  static std::string found(const std::string& name, const Folders& folders) {
    std::error_code error;
    if (name.find('/') != std::string::npos)
      return fs::is_regular_file(name, error) ? fs::canonical(name, error).string() : "";
    for (const std::string& folder : folders) {
      const fs::path path = fs::path(folder) / name;
      if (fs::is_regular_file(path, error)) return fs::canonical(path, error).string();
    }
    return "";
  }

  Folders m_environment;
};

} // namespace

std::vector<std::string> user_libraries(const std::string& program) {
  Search search;
  search.add_needed_by(program, {});
  return std::move(search.libraries);
}

} // namespace reex
