#include "reex/runtime/machine/modules.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <link.h>

namespace reex {

namespace {

constexpr unsigned k_segments = 256;
constexpr std::uintptr_t k_page = 4096;

bool inside(const Segment& segment, std::uint64_t pc) {
  const auto* address = reinterpret_cast<const char*>(pc);
  return address >= segment.low && address < segment.high;
}

Segment g_runtime_text{};
Segment g_runtime_data[8];
unsigned g_runtime_data_count = 0;
constexpr const char* k_unwinders[] = {"/libgcc_s.so", "/libunwind.so"};
Segment g_unwinder_text[std::size(k_unwinders)];
Segment g_system_text[k_segments];
unsigned g_system_text_count = 0;
Segment g_instrumented_text[k_segments];
unsigned g_instrumented_text_count = 0;
Segment g_opaque_text[k_segments];
unsigned g_opaque_text_count = 0;
Segment g_constant[k_segments];
unsigned g_constant_count = 0;
bool g_found = false;
bool g_cancels_threads = false;
// What find_modules has found at first. What comes later stands behind that in the tables.
struct Found {
  unsigned system, instrumented, opaque, constant;
  bool cancels_threads;
};
Found g_at_first{};
constexpr const char* k_language_libraries[] = {
    "/libc.so.",      "/libm.so.",       "/libstdc++.so.", "/libgcc_s.so.",
    "/ld-linux",      "/libpthread.so.", "/libdl.so.",     "/librt.so.",
    "/libatomic.so.", "/libc++.so.",     "/libc++abi.so.", "/libreex_",
    "/libtsan.so",    "/libubsan.so",    "/libunwind.so",  "/libboost_context.so",
    "linux-vdso"};

bool is_of_language(const char* name) {
  for (const char* part : k_language_libraries)
    if (strstr(name, part) != nullptr) return true;
  return false;
}

bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

// Whether the module's symbol table asks for the function. Symbols that are not in the hash table come first,
// and undefined symbols are among them. The loader has made the addresses absolute, except in the kernel's
// own module, which it cannot write to.
bool refers_to(const char* function, const dl_phdr_info& module, const ElfW(Dyn) * dynamic) {
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  std::uint32_t count = 0;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const std::uintptr_t value = dynamic->d_un.d_ptr;
    const std::uintptr_t address = value < module.dlpi_addr ? module.dlpi_addr + value : value;
    if (dynamic->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(address);
    if (dynamic->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(address);
    if (dynamic->d_tag == DT_GNU_HASH || (dynamic->d_tag == DT_HASH && count == 0))
      count = reinterpret_cast<const std::uint32_t*>(address)[1];
  }
  for (std::uint32_t i = 1; i < count; ++i)
    if (symbols[i].st_shndx == SHN_UNDEF && strcmp(names + symbols[i].st_name, function) == 0) return true;
  return false;
}

// What is relocated stays writable up to the end of the last page, if it does not fill it.
void note_constant(const ElfW(Phdr) & header, Segment memory, bool own) {
  const bool is_relocated = header.p_type == PT_GNU_RELRO;
  if (own || g_constant_count == k_segments) return;
  if (is_relocated && (header.p_vaddr + header.p_memsz) % k_page != 0) memory.high -= k_page;
  if (is_relocated || (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0))
    g_constant[g_constant_count++] = memory;
}

int visit(dl_phdr_info* module, std::size_t, void*) {
  const auto here = reinterpret_cast<std::uint64_t>(&find_modules);
  bool own = false;
  const auto segment = [&](const ElfW(Phdr) & header) -> Segment {
    constexpr std::uintptr_t k_page_mask = k_page - 1;
    const std::uintptr_t low = module->dlpi_addr + header.p_vaddr;
    return {reinterpret_cast<char*>(low & ~k_page_mask),
            reinterpret_cast<char*>((low + header.p_memsz + k_page_mask) & ~k_page_mask)};
  };
  for (unsigned i = 0; i < module->dlpi_phnum; ++i)
    own = own || (module->dlpi_phdr[i].p_type == PT_LOAD && inside(segment(module->dlpi_phdr[i]), here));
  bool instrumented = false;
  for (unsigned i = 0; i < module->dlpi_phnum && !own; ++i)
    if (module->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      const auto* dynamic =
          reinterpret_cast<const ElfW(Dyn)*>(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
      instrumented = refers_to("__tsan_init", *module, dynamic);
      g_cancels_threads = g_cancels_threads || refers_to("pthread_cancel", *module, dynamic);
    }
  const bool system = starts_with(module->dlpi_name, "/lib") || starts_with(module->dlpi_name, "/usr/lib");
  const auto* unwinder = std::find_if(std::begin(k_unwinders), std::end(k_unwinders), [&](const char* name) {
    return strstr(module->dlpi_name, name) != nullptr;
  });
  const bool opaque = !is_of_language(module->dlpi_name) && !instrumented;
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module->dlpi_phdr[i];
    note_constant(header, segment(header), own);
    if (header.p_type != PT_LOAD) continue;
    if (own && (header.p_flags & PF_X) != 0) g_runtime_text = segment(header);
    if (own && (header.p_flags & PF_W) != 0 && g_runtime_data_count < 8)
      g_runtime_data[g_runtime_data_count++] = segment(header);
    if ((header.p_flags & PF_X) != 0 && unwinder != std::end(k_unwinders))
      g_unwinder_text[unwinder - k_unwinders] = segment(header);
    if (const Segment text = segment(header);
        !own && (header.p_flags & PF_X) != 0 && opaque && g_opaque_text_count < k_segments)
      g_opaque_text[g_opaque_text_count++] = text;
    if (!own && system && (header.p_flags & PF_X) != 0 && g_system_text_count < k_segments)
      g_system_text[g_system_text_count++] = segment(header);
    if (instrumented && (header.p_flags & PF_X) != 0 && g_instrumented_text_count < k_segments)
      g_instrumented_text[g_instrumented_text_count++] = segment(header);
  }
  return 0;
}

} // namespace

void find_modules() {
  g_runtime_data_count = g_system_text_count = g_opaque_text_count = g_instrumented_text_count =
      g_constant_count = 0;
  dl_iterate_phdr(visit, nullptr);
  if (!g_found)
    g_at_first = {g_system_text_count, g_instrumented_text_count, g_opaque_text_count, g_constant_count,
                  g_cancels_threads};
  g_found = true;
}

void forget_modules_that_came() {
  g_system_text_count = g_at_first.system;
  g_instrumented_text_count = g_at_first.instrumented;
  g_opaque_text_count = g_at_first.opaque;
  g_constant_count = g_at_first.constant;
  g_cancels_threads = g_at_first.cancels_threads;
}

std::uint64_t code_digest() {
  std::uint64_t digest = 1;
  const auto add = [&](const Segment& text) {
    digest = (digest ^ reinterpret_cast<std::uint64_t>(text.low)) * 0x9e3779b97f4a7c15;
    digest = (digest ^ reinterpret_cast<std::uint64_t>(text.high)) * 0x9e3779b97f4a7c15;
  };
  for (unsigned i = 0; i < g_instrumented_text_count; ++i) add(g_instrumented_text[i]);
  for (unsigned i = 0; i < g_opaque_text_count; ++i) add(g_opaque_text[i]);
  return digest | 1;
}

bool opaque_code_came() { return g_opaque_text_count > g_at_first.opaque; }

bool code_came() {
  return g_system_text_count > g_at_first.system || g_instrumented_text_count > g_at_first.instrumented ||
         opaque_code_came();
}

bool cancels_threads() { return g_cancels_threads; }

bool in_runtime(std::uint64_t pc) { return inside(g_runtime_text, pc); }

bool in_unwinder(std::uint64_t pc) {
  return std::any_of(std::begin(g_unwinder_text), std::end(g_unwinder_text),
                     [pc](const Segment& text) { return inside(text, pc); });
}

bool is_constant(const void* address) {
  for (unsigned i = 0; i < g_constant_count; ++i)
    if (inside(g_constant[i], reinterpret_cast<std::uint64_t>(address))) return true;
  return false;
}

bool is_opaque(std::uint64_t pc) {
  for (unsigned i = 0; i < g_opaque_text_count; ++i)
    if (inside(g_opaque_text[i], pc)) return true;
  return false;
}

bool in_system_library(std::uint64_t pc) {
  for (unsigned i = 0; i < g_system_text_count; ++i)
    if (inside(g_system_text[i], pc)) return true;
  return false;
}

bool in_instrumented_module(std::uint64_t pc) {
  for (unsigned i = 0; i < g_instrumented_text_count; ++i)
    if (inside(g_instrumented_text[i], pc)) return true;
  return false;
}

const Segment* runtime_data(unsigned& count) {
  count = g_runtime_data_count;
  return g_runtime_data;
}

} // namespace reex
