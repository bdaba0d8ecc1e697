#include "reex/symbols/threadless.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "reex/symbols/atomic_code.h"
#include "reex/symbols/module_code.h"

namespace reex {
namespace {

// The beginnings of names: of POSIX, C11, C++, the compilers' libraries, and of what waits by polling.
constexpr std::array<std::string_view, 24> k_for_threads = {"pthread_",
                                                            "sem_",
                                                            "mtx_",
                                                            "cnd_",
                                                            "thrd_",
                                                            "call_once",
                                                            "tss_",
                                                            "__atomic_",
                                                            "__sync_",
                                                            "GOMP_",
                                                            "omp_",
                                                            "sched_yield",
                                                            "usleep",
                                                            "nanosleep",
                                                            "clock_nanosleep",
                                                            "syscall",
                                                            "eventfd",
                                                            "fork",
                                                            "clone",
                                                            "dlopen",
                                                            "_ZNSt6thread",
                                                            "_ZNSt18condition_variable",
                                                            "_ZNSt13__future_base",
                                                            "_ZNSt11this_thread"};

bool is_for_threads(const std::string& function) {
  return std::any_of(k_for_threads.begin(), k_for_threads.end(),
                     [&](std::string_view beginning) { return function.starts_with(beginning); });
}

bool has_code_for_threads(Elf* elf) {
  const detail::ModuleCode module(elf);
  return !module.is_read() || std::any_of(module.sections().begin(), module.sections().end(),
                                          [](const detail::CodeSection& section) {
                                            return detail::may_synchronize(section.bytes);
                                          });
}

} // namespace

bool is_threadless(const std::string& path, const Linkage& linkage) {
  if (std::any_of(linkage.wanted.begin(), linkage.wanted.end(), is_for_threads)) return false;
  elf_version(EV_CURRENT);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  bool result = false;
  if (const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file, ELF_C_READ_MMAP, nullptr), elf_end); elf)
    result = !has_code_for_threads(elf.get());
  close(file);
  return result;
}

} // namespace reex
