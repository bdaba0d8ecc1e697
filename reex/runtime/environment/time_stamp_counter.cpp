// g_trapped and g_next are variables of the process: set when it begins, or when the test sets an action.
#include "reex/runtime/environment/time_stamp_counter.h"

#include <cstdint>
#include <ctime>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/kernel_action.h"
#include "reex/runtime/environment/processor.h"
#include "reex/runtime/machine/libc.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/record/trace.h"

namespace reex {
namespace {

bool g_trapped = false;
struct sigaction g_next {}; // what SIGSEGV does otherwise

bool set_mark(int mark) { return raw_syscall(SYS_prctl, PR_SET_TSC, mark) == 0; }

std::uint64_t real_counter() {
  set_mark(PR_TSC_ENABLE);
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  set_mark(PR_TSC_SIGSEGV);
  return std::uint64_t{high} << 32 | low;
}

std::uint64_t virtual_counter(std::uint64_t pc) {
  return static_cast<std::uint64_t>(
      nanoseconds_since_epoch(CLOCK_MONOTONIC, reinterpret_cast<const void*>(pc)));
}

bool in_vdso(std::uint64_t pc) {
  constexpr std::uint64_t k_pages = 4 * 4096;
  static const std::uint64_t begin = getauxval(AT_SYSINFO_EHDR);
  return begin != 0 && pc >= begin && pc < begin + k_pages;
}

bool is_prefix(unsigned char byte) {
  switch (byte) {
  case 0x26:
  case 0x2e:
  case 0x36:
  case 0x3e:
  case 0x64:
  case 0x65:
  case 0x66:
  case 0x67:
  case 0xf2:
  case 0xf3:
    return true;
  default:
    return (byte & 0xf0) == 0x40; // REX
  }
}

struct Instruction {
  unsigned length = 0; // 0: another instruction
  bool tells_processor = false;
};

Instruction decode(const unsigned char* code) {
  constexpr unsigned k_longest = 12;
  unsigned at = 0;
  while (at < k_longest && is_prefix(code[at])) ++at;
  if (code[at] != 0x0f) return {};
  if (code[at + 1] == 0x31) return {at + 2, false};                        // rdtsc
  if (code[at + 1] == 0x01 && code[at + 2] == 0xf9) return {at + 3, true}; // rdtscp
  return {};
}

// Executes the instruction that has faulted, if it reads the counter.
bool execute(const siginfo_t& details, void* context) {
  constexpr greg_t k_general_protection = 13;
  constexpr std::uint64_t k_addresses_end = std::uint64_t{1} << 47;
  auto* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  if (!g_trapped || details.si_code != SI_KERNEL || registers[REG_TRAPNO] != k_general_protection ||
      pc >= k_addresses_end)
    return false;
  const Instruction instruction = decode(reinterpret_cast<const unsigned char*>(pc));
  if (instruction.length == 0) return false;
  const std::uint64_t value = in_vdso(pc) ? real_counter() : virtual_counter(pc);
  registers[REG_RAX] = static_cast<greg_t>(value & 0xffffffff);
  registers[REG_RDX] = static_cast<greg_t>(value >> 32);
  if (instruction.tells_processor) registers[REG_RCX] = static_cast<greg_t>(processor_number());
  registers[REG_RIP] += instruction.length;
  return true;
}

void on_fault(int number, siginfo_t* details, void* context) {
  if (execute(*details, context)) return;
  end_walk_at_fault();
  const struct sigaction action = g_next;
  const bool by_default = action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN;
  if (by_default || (action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) g_next.sa_handler = SIG_DFL;
  if (by_default) { // it occurs again
    set_kernel_action(number, g_next);
    if (details->si_code <= 0)
      raw_syscall(SYS_tkill, raw_syscall(SYS_gettid), number); // somebody has sent it
  } else if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, details, context);
  } else {
    action.sa_handler(number);
  }
}

} // namespace

void trap_time_stamps() {
  struct sigaction before {};
  libc().sigaction(SIGSEGV, nullptr, &before);
  g_trapped = set_mark(PR_TSC_SIGSEGV);
  if (g_trapped) set_fault_action(SIGSEGV, before);
}

void allow_time_stamps() {
  if (g_trapped) set_mark(PR_TSC_ENABLE);
  g_trapped = false;
}

// The handler may be interrupted by such a fault too, so the kernel must not block the signal.
int set_fault_action(int number, const struct sigaction& action) {
  if (number != SIGSEGV || !g_trapped) return set_kernel_action(number, action);
  struct sigaction ours = action;
  ours.sa_sigaction = on_fault;
  ours.sa_flags = (action.sa_flags & ~static_cast<int>(SA_RESETHAND)) | SA_SIGINFO | SA_NODEFER;
  const int result = set_kernel_action(number, ours);
  if (result == 0) g_next = action;
  return result;
}

struct sigaction fault_action(int number) {
  struct sigaction action {};
  if (number == SIGSEGV && g_trapped) return g_next;
  libc().sigaction(number, nullptr, &action);
  return action;
}

RealTimeStamps::RealTimeStamps() : m_trapped(g_trapped && !g.in_place) {
  if (m_trapped) set_mark(PR_TSC_ENABLE);
}

RealTimeStamps::~RealTimeStamps() {
  if (m_trapped) set_mark(PR_TSC_SIGSEGV);
}

} // namespace reex
