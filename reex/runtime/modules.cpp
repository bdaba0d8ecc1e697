#include "reex/runtime/modules.h"

#include <cstring>
#include <link.h>

#include "reex/runtime/runtime.h"

namespace reex {
namespace {

constexpr unsigned k_segments = 256;
Segment g_runtime_text{};
Segment g_runtime_data[8];
unsigned g_runtime_data_count = 0;
Segment g_unwinder_text{};
Segment g_system_text[k_segments];
unsigned g_system_text_count = 0;

bool inside(const Segment& segment, std::uint64_t pc) {
  const auto* address = reinterpret_cast<const char*>(pc);
  return address >= segment.low && address < segment.high;
}

bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

int visit(dl_phdr_info* module, std::size_t, void*) {
  const auto here = reinterpret_cast<std::uint64_t>(&find_modules);
  bool own = false;
  const auto segment = [&](const ElfW(Phdr) & header) -> Segment {
    constexpr std::uintptr_t k_page_mask = 4095;
    const std::uintptr_t low = module->dlpi_addr + header.p_vaddr;
    return {reinterpret_cast<char*>(low & ~k_page_mask),
            reinterpret_cast<char*>((low + header.p_memsz + k_page_mask) & ~k_page_mask)};
  };
  for (unsigned i = 0; i < module->dlpi_phnum; ++i)
    own = own || (module->dlpi_phdr[i].p_type == PT_LOAD && inside(segment(module->dlpi_phdr[i]), here));
  const bool system = starts_with(module->dlpi_name, "/lib") || starts_with(module->dlpi_name, "/usr/lib");
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    if (own && (header.p_flags & PF_X) != 0) g_runtime_text = segment(header);
    if (own && (header.p_flags & PF_W) != 0 && g_runtime_data_count < 8)
      g_runtime_data[g_runtime_data_count++] = segment(header);
    if ((header.p_flags & PF_X) != 0 && strstr(module->dlpi_name, "/libgcc_s.so") != nullptr)
      g_unwinder_text = segment(header);
    if (!own && system && (header.p_flags & PF_X) != 0 && g_system_text_count < k_segments)
      g_system_text[g_system_text_count++] = segment(header);
  }
  return 0;
}

} // namespace

void find_modules() {
  g_runtime_data_count = g_system_text_count = 0;
  dl_iterate_phdr(visit, nullptr);
}

bool in_runtime(std::uint64_t pc) { return inside(g_runtime_text, pc); }

bool in_unwinder(std::uint64_t pc) { return inside(g_unwinder_text, pc); }

bool in_system_library(std::uint64_t pc) {
  for (unsigned i = 0; i < g_system_text_count; ++i)
    if (inside(g_system_text[i], pc)) return true;
  return false;
}

const Segment* runtime_data(unsigned& count) {
  count = g_runtime_data_count;
  return g_runtime_data;
}

} // namespace reex
