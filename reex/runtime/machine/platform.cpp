#include "reex/runtime/machine/platform.h"

#include <asm/prctl.h>
#include <immintrin.h>
#include <sys/auxv.h>

namespace reex {
namespace {

constexpr unsigned long k_hwcap2_fsgsbase = 2; // arch/x86/include/uapi/asm/hwcap2.h
bool g_fsgsbase = false;                       // set once, by probe_fs

__attribute__((target("fsgsbase"))) std::uint64_t read_fs_directly() { return _readfsbase_u64(); }
__attribute__((target("fsgsbase"))) void write_fs_directly(std::uint64_t value) { _writefsbase_u64(value); }

} // namespace

void probe_fs() { g_fsgsbase = (getauxval(AT_HWCAP2) & k_hwcap2_fsgsbase) != 0; }

std::uint64_t read_fs() {
  if (g_fsgsbase) return read_fs_directly();
  std::uint64_t value = 0;
  raw_syscall(SYS_arch_prctl, ARCH_GET_FS, as_long(&value));
  return value;
}

void write_fs(std::uint64_t value) {
  if (g_fsgsbase)
    write_fs_directly(value);
  else
    raw_syscall(SYS_arch_prctl, ARCH_SET_FS, static_cast<long>(value));
}

} // namespace reex
