#include "reex/runtime/worker/filter.h"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "reex/runtime/core/ending.h"
#include "reex/runtime/core/runtime.h"
#include "reex/runtime/descriptors/kept/kept_descriptors.h"
#include "reex/runtime/machine/kept_call.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/memory/dirty_pages.h"
#include "reex/runtime/memory/mapped_memory.h"
#include "reex/runtime/memory/private_mappings.h"
#include "reex/runtime/memory/restored_memory.h"
#include "reex/runtime/record/captured_output.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

// These leave nothing behind: they only ask, or change only what a restore brings back.
constexpr int k_harmless[] = {
    SYS_futex,
    SYS_sched_yield,
    SYS_clock_gettime,
    SYS_gettimeofday,
    SYS_time,
    SYS_clock_getres,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getcpu,
    SYS_membarrier, // to register for it twice is to register once
    SYS_getrandom,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_uname,
    SYS_sysinfo,
    SYS_sched_getaffinity,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_exit_group,
    SYS_exit,
    SYS_fstat,
    SYS_newfstatat,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_faccessat,
    SYS_readlink,
    SYS_getcwd,
    SYS_arch_prctl,
    SYS_pread64,
    SYS_preadv,
    SYS_preadv2,
    SYS_times,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_getscheduler,
    SYS_sched_getparam,
    SYS_sched_getattr,
    SYS_sched_rr_get_interval,
    SYS_getpriority,
    SYS_getpgrp,
    SYS_getpgid,
    SYS_getsid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_capget,
    SYS_statx,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_statfs,
    SYS_fstatfs,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    SYS_mincore,
    SYS_get_mempolicy,
    SYS_getitimer,
    SYS_rt_sigpending,
    SYS_nanosleep,
    SYS_clock_nanosleep,
};
// Allowed on descriptors 1 and 2, which are captured and whose offsets are reset. On standard input, which is
// empty, read is allowed.
constexpr int k_on_output[] = {SYS_write, SYS_writev, SYS_lseek, SYS_ioctl};

// Advice that leaves what the memory holds, or is about shared memory only, which is put back as a whole.
constexpr unsigned k_harmless_advice[] = {MADV_NORMAL,
                                          MADV_RANDOM,
                                          MADV_SEQUENTIAL,
                                          MADV_WILLNEED,
                                          MADV_REMOVE,
                                          MADV_DONTFORK,
                                          MADV_DOFORK,
                                          MADV_MERGEABLE,
                                          MADV_UNMERGEABLE,
                                          MADV_HUGEPAGE,
                                          MADV_NOHUGEPAGE,
                                          MADV_DONTDUMP,
                                          MADV_DODUMP,
                                          MADV_WIPEONFORK,
                                          MADV_KEEPONFORK,
                                          20 /* MADV_COLD */,
                                          21 /* MADV_PAGEOUT */,
                                          22 /* MADV_POPULATE_READ */,
                                          23 /* MADV_POPULATE_WRITE */};

constexpr unsigned k_room = 512;
sock_filter g_program[k_room];
unsigned short g_length = 0;

void emit(sock_filter instruction) {
  if (g_length < k_room) g_program[g_length++] = instruction;
}

void load(std::size_t offset) { emit(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset))); }
void answer(unsigned action) { emit(BPF_STMT(BPF_RET | BPF_K, action)); }
// Continues if the loaded word is `value`; otherwise skips `count` instructions.
void unless(unsigned value, unsigned char count) {
  emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

void allow_when_first_argument(int call, unsigned value) {
  load(offsetof(seccomp_data, nr));
  unless(static_cast<unsigned>(call), 3);
  load(offsetof(seccomp_data, args[0]));
  unless(value, 1);
  answer(SECCOMP_RET_ALLOW);
}

void allow_harmless_advice() {
  load(offsetof(seccomp_data, nr));
  unless(SYS_madvise, 1 + 2 * sizeof k_harmless_advice / sizeof *k_harmless_advice);
  load(offsetof(seccomp_data, args[2]));
  for (const unsigned advice : k_harmless_advice) {
    unless(advice, 1);
    answer(SECCOMP_RET_ALLOW);
  }
}

// The first argument is an address that is reserved for mappings: a restore drops what is there.
void allow_within_reserve(int call, UpperHalves reserve) {
  load(offsetof(seccomp_data, nr));
  unless(static_cast<unsigned>(call), 4);
  load(offsetof(seccomp_data, args[0]) + sizeof(std::uint32_t));
  emit(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, reserve.first, 0, 2));
  emit(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, reserve.first + reserve.count, 1, 0));
  answer(SECCOMP_RET_ALLOW);
}

// Only asks, if no new value is given.
void allow_when_argument_is_null(int call, unsigned argument) {
  const std::size_t place = offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
  load(offsetof(seccomp_data, nr));
  unless(static_cast<unsigned>(call), 5);
  load(place);
  unless(0, 3);
  load(place + sizeof(std::uint32_t));
  unless(0, 1);
  answer(SECCOMP_RET_ALLOW);
}

// False: it is other advice.
bool discard(const long* arguments, long& answer) {
  const long advice = arguments[2];
  if (advice != MADV_DONTNEED && advice != MADV_FREE && advice != 24 /* MADV_DONTNEED_LOCKED */) return false;
  note_discarded(reinterpret_cast<char*>(arguments[0]), static_cast<std::size_t>(arguments[1]),
                 advice == MADV_FREE);
  answer = reex_kept_call(SYS_madvise, arguments[0], arguments[1], advice);
  return true;
}

bool make_call(long number, const long* arguments, long& answer) {
  return number == SYS_madvise ? discard(arguments, answer) : make_kept_call(number, arguments, answer);
}

// The test does not see that its call came here.
void on_call(int, siginfo_t* details, void* context) {
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const long arguments[] = {static_cast<long>(registers[REG_RDI]), static_cast<long>(registers[REG_RSI]),
                            static_cast<long>(registers[REG_RDX]), static_cast<long>(registers[REG_R10]),
                            static_cast<long>(registers[REG_R8]),  static_cast<long>(registers[REG_R9])};
  long answer = 0;
  const auto from = reinterpret_cast<std::uintptr_t>(details->si_call_addr);
  if (!make_mapping_call(details->si_syscall, arguments, from, answer) &&
      !make_call(details->si_syscall, arguments, answer))
    cannot_be_taken_back(details->si_syscall);
  registers[REG_RAX] = answer;
}

void allow_kept_calls() {
  const auto place = static_cast<std::uint64_t>(kept_call_return());
  load(offsetof(seccomp_data, instruction_pointer));
  unless(static_cast<unsigned>(place), 3);
  load(offsetof(seccomp_data, instruction_pointer) + sizeof(std::uint32_t));
  unless(static_cast<unsigned>(place >> 32), 1);
  answer(SECCOMP_RET_ALLOW);
}

} // namespace

void cannot_be_taken_back(int call) {
  g.active = false;
  Status& status = g.control->status;
  status.irreversible_call = call;
  status.irreversible_depth = walk_stack(status.irreversible_stack, k_max_stack);
  throw_away(End::irreversible, "the test makes a system call which a restore cannot take back");
}

bool install_filter(int log_descriptor) {
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  if (libc().sigaction(SIGSYS, &action, nullptr) != 0) return false;

  g_length = 0;
  load(offsetof(seccomp_data, arch));
  unless(AUDIT_ARCH_X86_64, 1);
  emit(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
  answer(SECCOMP_RET_TRAP);
  for (const int call : k_on_output)
    for (const unsigned descriptor : {1u, 2u}) allow_when_first_argument(call, descriptor);
  for (const int descriptor : k_saved_output)
    allow_when_first_argument(SYS_lseek, static_cast<unsigned>(descriptor));
  load(offsetof(seccomp_data, nr));
  for (const int call : k_harmless) {
    unless(static_cast<unsigned>(call), 1);
    answer(SECCOMP_RET_ALLOW);
  }
  allow_when_argument_is_null(SYS_prlimit64, 2);
  allow_when_argument_is_null(SYS_sigaltstack, 0);
  allow_when_argument_is_null(SYS_rt_sigaction, 1);
  allow_when_first_argument(SYS_read, 0);
  allow_harmless_advice();
  allow_when_first_argument(SYS_prctl, PR_SET_TSC); // of the runtime itself
  allow_when_first_argument(SYS_prctl, PR_SET_VMA); // a name in /proc/self/maps
  if (const UpperHalves reserve = reserved_mappings(); reserve.count != 0)
    for (const int call : {SYS_mmap, SYS_mprotect}) allow_within_reserve(call, reserve);
  const TrackerDescriptors tracker = tracker_descriptors();
  for (const int descriptor : {tracker.faults, tracker.pages})
    if (descriptor >= 0) allow_when_first_argument(SYS_ioctl, static_cast<unsigned>(descriptor));
  allow_kept_calls();
  if (log_descriptor >= 0) allow_when_first_argument(SYS_write, static_cast<unsigned>(log_descriptor));
  answer(SECCOMP_RET_TRAP);

  const sock_fprog program{g_length, g_program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return raw_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, as_long(&program)) == 0;
}

} // namespace reex
