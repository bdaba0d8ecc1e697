#include "cli/subject/machine.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/subject/binary.h"
#include "reex/hooks/flags.h"

namespace reex {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_shadow_bytes = std::size_t{1} << 43; // as reex/runtime/order/shadow_memory.cpp

// Bit 1 of AT_HWCAP2: user space may read and write the FS base (asm/hwcap2.h).
constexpr unsigned long k_hwcap2_fsgsbase = 2;

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

MachineCheck check_kernel() {
  utsname name = {};
  uname(&name);
  const std::string machine = name.machine;
  return {"kernel", machine == "x86_64", true,
          std::string(name.sysname) + " " + name.release + ", " + machine, "reex runs on x86-64 Linux only"};
}

MachineCheck check_fsgsbase() {
  const bool has = (getauxval(AT_HWCAP2) & k_hwcap2_fsgsbase) != 0;
  return {"FSGSBASE", has, false,
          has ? "thread switches need no system call" : "missing: each thread switch is a system call",
          "a kernel from 5.9 on, booted without nofsgsbase"};
}

MachineCheck check_address_randomization() {
  constexpr unsigned long k_query = 0xffffffff;
  const int current = personality(k_query);
  const bool allowed =
      current >= 0 && personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) >= 0;
  if (allowed) personality(static_cast<unsigned long>(current));
  return {"address randomization", allowed, false,
          allowed ? "can be turned off for tests" : "cannot be turned off here",
          "nothing must be done: schedules name no addresses; a container that allows personality() makes "
          "traces steadier"};
}

// The mark is lifted again at once: nothing here reads the counter meanwhile.
MachineCheck check_time_stamps() {
  const bool traps = prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
  if (traps) prctl(PR_SET_TSC, PR_TSC_ENABLE);
  return {"time stamp counter", traps, false,
          traps ? "agrees with the virtual clocks (rdtsc)" : "rdtsc shows real time, not virtual time",
          "a kernel that allows prctl(PR_SET_TSC)"};
}

// The address space for the records of accesses, which reex asks for in each worker.
MachineCheck check_address_space() {
  void* space = mmap(nullptr, k_shadow_bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const bool there = space != MAP_FAILED;
  if (there) munmap(space, k_shadow_bytes);
  return {"address space", there, false,
          there ? "enough to look for data races"
                : "limited: data races and uses of freed memory are not seen",
          "ulimit -v unlimited, and /proc/sys/vm/overcommit_memory 0 or 1"};
}

MachineCheck check_file(const std::string& name, const fs::path& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  return {name, found, true, found ? path.string() : path.string() + " is missing",
          "build or install reex again"};
}

MachineCheck check_compiler() {
  std::string found;
  for (const char* name : {"g++", "clang++"}) {
    if (const std::string path = find_program(name); !path.empty())
      found += (found.empty() ? "" : ", ") + path;
  }
  return {"compiler", !found.empty(), false, found.empty() ? "neither g++ nor clang++ is in PATH" : found,
          "install g++ or clang to build instrumented tests"};
}

} // namespace

std::vector<MachineCheck> check_machine() {
  const Layout files = layout(own_executable());
  return {check_kernel(),
          check_file("runtime library", files.runtime),
          check_file("instrumentation library", files.hooks),
          check_fsgsbase(),
          check_address_randomization(),
          check_time_stamps(),
          check_address_space(),
          check_compiler()};
}

} // namespace reex
