#include "reex/symbols/build_id.h"

#include <memory>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>
#include <unistd.h>

namespace reex {

std::string build_id_of(const std::string& path) {
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end);
      elf) {
    const void* id = nullptr;
    const ssize_t size = dwelf_elf_gnu_build_id(elf.get(), &id);
    constexpr char k_digits[] = "0123456789abcdef";
    for (ssize_t i = 0; i < size; ++i) {
      const unsigned char byte = static_cast<const unsigned char*>(id)[i];
      text += {k_digits[byte >> 4], k_digits[byte & 15]};
    }
  }
  close(file);
  return text;
}

} // namespace reex
