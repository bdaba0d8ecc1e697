// g_trapped is a variable of the process: set when it begins.
#include "reex/runtime/environment/time_stamp_counter.h"

#include <cstdint>
#include <ctime>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/environment/clock.h"
#include "reex/runtime/environment/processor.h"
#include "reex/runtime/machine/platform.h"

namespace reex {
namespace {

bool g_trapped = false;

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

} // namespace

void trap_time_stamps() { g_trapped = set_mark(PR_TSC_SIGSEGV); }

void allow_time_stamps() {
  if (g_trapped) set_mark(PR_TSC_ENABLE);
  g_trapped = false;
}

bool read_time_stamp(const siginfo_t& details, void* context) {
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

RealTimeStamps::RealTimeStamps() : m_trapped(g_trapped && !g.in_place) {
  if (m_trapped) set_mark(PR_TSC_ENABLE);
}

RealTimeStamps::~RealTimeStamps() {
  if (m_trapped) set_mark(PR_TSC_SIGSEGV);
}

} // namespace reex
