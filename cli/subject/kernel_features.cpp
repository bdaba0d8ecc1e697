#include "cli/subject/kernel_features.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "reex/process/descriptor.h"

namespace reex {
namespace {

// Bit 1 of AT_HWCAP2: user space may read and write the FS base (asm/hwcap2.h).
constexpr unsigned long k_hwcap2_fsgsbase = 2;

Health useful(bool there) { return there ? Health::good : Health::note; }

Check check_fsgsbase() {
  const bool has = (getauxval(AT_HWCAP2) & k_hwcap2_fsgsbase) != 0;
  return {"FSGSBASE", useful(has),
          has ? "thread switches need no system call" : "missing: each thread switch is a system call",
          "a kernel from 5.9 on, booted without nofsgsbase"};
}

Check check_address_randomization() {
  constexpr unsigned long k_query = 0xffffffff;
  const int current = personality(k_query);
  const bool allowed =
      current >= 0 && personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) >= 0;
  if (allowed) personality(static_cast<unsigned long>(current));
  return {"address randomization", useful(allowed),
          allowed ? "can be turned off for tests" : "cannot be turned off here",
          "nothing must be done: schedules name no addresses; a container that allows personality() makes "
          "traces steadier"};
}

// The mark is lifted again at once: nothing here reads the counter meanwhile.
Check check_time_stamps() {
  const bool traps = prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
  if (traps) prctl(PR_SET_TSC, PR_TSC_ENABLE);
  return {"time stamp counter", useful(traps),
          traps ? "agrees with the virtual clocks (rdtsc)" : "rdtsc shows real time, not virtual time",
          "a kernel that allows prctl(PR_SET_TSC)"};
}

// A filter stays with its process: a child tries it.
bool can_filter_calls() {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program{1, allow};
    const unsigned answer = SECCOMP_RET_TRAP;
    const bool works = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                       syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &answer) == 0 &&
                       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    _exit(works ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

// The filters that this process has already, of a container for example.
unsigned filters_in_place() {
  std::ifstream file("/proc/self/status");
  for (std::string name, line; file >> name && std::getline(file, line);)
    if (name == "Seccomp_filters:") return static_cast<unsigned>(std::strtoul(line.c_str(), nullptr, 10));
  return 0;
}

Check check_filters() {
  const bool can = can_filter_calls();
  std::string found = can ? "a filter finds what a restore cannot undo"
                          : "no filter can be set: each execution is a process of its own, which is slow";
  if (const unsigned others = filters_in_place(); others != 0)
    found += fmt::format("; {} in place that may refuse calls of a test",
                         others == 1 ? "1 other is" : fmt::format("{} others are", others));
  return {"seccomp", useful(can), found,
          "a kernel with CONFIG_SECCOMP_FILTER, and a container that allows seccomp()"};
}

// The child asks, and its parent, which has set the filter, lets the call go on. Returns an exit status.
int answer_one_call(int listener) {
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    syscall(SYS_getppid);
    _exit(0);
  }
  seccomp_notif call{};
  seccomp_notif_resp response{};
  bool answered = ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) == 0;
  response.id = call.id;
  response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  answered = answered && ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
  if (!answered) kill(child, SIGKILL);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

// What reex/files/watch.cpp and the runtime do with the calls of a test, here with one.
bool can_be_asked() {
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    sock_filter program[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                             BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
                             BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
                             BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{std::size(program), program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const long listener =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
    _exit(listener < 0 ? 1 : answer_one_call(static_cast<int>(listener)));
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0;
}

Check check_files() {
  const bool can = can_be_asked();
  return {"files", useful(can),
          can ? "each execution begins with the files as they were (seccomp user notification)"
              : "files stay as an execution leaves them: a test that changes files uses a process for each "
                "execution, and its second execution may find what the first one left",
          "Linux 5.5, and a container that allows seccomp() with a listener (one filter can have one: run "
          "reex outside of a tool that has set it)"};
}

struct Scan { // struct pm_scan_arg of Linux 6.7, linux/fs.h
  std::uint64_t size;
  std::uint64_t flags;
  std::uint64_t start;
  std::uint64_t end;
  std::uint64_t walk_end;
  std::uint64_t regions[3];
  std::uint64_t masks[4];
};

// What reex/runtime/memory/dirty_pages.cpp opens.
bool can_track_pages() {
  constexpr std::uint64_t k_features = std::uint64_t{1} << 13 | std::uint64_t{1} << 15;
  constexpr int k_user_mode_only = 1;
  const Descriptor faults(static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | k_user_mode_only)));
  const Descriptor pages(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
  uffdio_api wanted{};
  wanted.api = UFFD_API;
  wanted.features = k_features;
  if (!faults || !pages || ioctl(*faults, UFFDIO_API, &wanted) != 0) return false;
  Scan nothing{};
  nothing.size = sizeof nothing;
  return ioctl(*pages, _IOWR('f', 16, Scan), &nothing) == 0;
}

Check check_page_tracking() {
  const bool can = can_track_pages();
  return {"changed pages", useful(can),
          can ? "the kernel names the pages that a test has changed (PAGEMAP_SCAN)"
              : "the kernel does not name them: all memory is copied, up to 16 MiB; tests with more use a "
                "process for each execution",
          "Linux 6.7, and a container that allows userfaultfd()"};
}

} // namespace

Checks check_kernel_features() {
  return {check_fsgsbase(), check_address_randomization(), check_time_stamps(), check_filters(),
          check_files(),    check_page_tracking()};
}

} // namespace reex
