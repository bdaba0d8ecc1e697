#include "reex/process/system_calls.h"

#include <algorithm>
#include <sys/syscall.h>

namespace reex {
namespace {

struct SystemCall {
  long number;
  const char* name;
};

constexpr SystemCall k_system_calls[] = {
#include "system_call_names.inc"
};

} // namespace

std::string system_call_name(long number) {
  const auto* found = std::find_if(std::begin(k_system_calls), std::end(k_system_calls),
                                   [number](const SystemCall& call) { return call.number == number; });
  return found == std::end(k_system_calls) ? "system call " + std::to_string(number) : found->name;
}

bool changes_files(long number) {
  constexpr long k_changes[] = {SYS_open,   SYS_openat,   SYS_creat,     SYS_unlink,    SYS_unlinkat,
                                SYS_rename, SYS_renameat, SYS_renameat2, SYS_mkdir,     SYS_mkdirat,
                                SYS_rmdir,  SYS_link,     SYS_linkat,    SYS_symlink,   SYS_symlinkat,
                                SYS_write,  SYS_writev,   SYS_pwrite64,  SYS_ftruncate, SYS_truncate};
  return std::find(std::begin(k_changes), std::end(k_changes), number) != std::end(k_changes);
}

} // namespace reex
