// replace_inline_futexes sets the variables in the zygote; workers only read them, except g_before, which
// catch_inline_futexes sets once in a worker.
#include "reex/runtime/primitives/inline_futex.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "reex/runtime/core/runtime.h"
#include "reex/runtime/machine/platform.h"
#include "reex/runtime/primitives/futex.h"

// libc's own, not the one that the test calls.
extern "C" int __sigaction(int number, const struct sigaction* action, struct sigaction* before);

namespace reex {
namespace {

// syscall; cmp $-ENOSYS, %rax: the first attempt. (The second one, for kernels before 2.6.22, is never made.)
constexpr unsigned char k_call[] = {0x0f, 0x05, 0x48, 0x83, 0xf8, 0xda};
constexpr unsigned char k_invalid[] = {0x0f, 0x0b}; // ud2
constexpr unsigned k_most_calls = 256;
constexpr std::size_t k_page = 4096;

const unsigned char* g_calls[k_most_calls];
unsigned g_call_count = 0;
bool g_has_library = false;
struct sigaction g_before {};

bool replace(unsigned char* call) {
  if (g_call_count == k_most_calls) return false;
  const auto page = reinterpret_cast<std::uintptr_t>(call) / k_page * k_page;
  const long size = static_cast<long>(2 * k_page); // the instruction may cross a page boundary
  const auto protect = [&](int access) {
    return raw_syscall(SYS_mprotect, static_cast<long>(page), size, access) == 0 ||
           raw_syscall(SYS_mprotect, static_cast<long>(page), static_cast<long>(k_page), access) == 0;
  };
  if (!protect(PROT_READ | PROT_WRITE | PROT_EXEC)) return false;
  memcpy(call, k_invalid, sizeof k_invalid);
  g_calls[g_call_count++] = call;
  return protect(PROT_READ | PROT_EXEC);
}

int visit(dl_phdr_info* module, std::size_t, void*) {
  if (strstr(module->dlpi_name, "/libgomp.so") == nullptr) return 0;
  g_has_library = true;
  for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    auto* from = reinterpret_cast<unsigned char*>(module->dlpi_addr + header.p_vaddr);
    auto* const to = from + header.p_filesz;
    while ((from = static_cast<unsigned char*>(
                memmem(from, static_cast<std::size_t>(to - from), k_call, sizeof k_call))) != nullptr)
      if (!replace(from)) return 1;
  }
  return 0;
}

bool was_replaced(const unsigned char* instruction) {
  for (unsigned i = 0; i < g_call_count; ++i)
    if (g_calls[i] == instruction) return true;
  return false;
}

// Runs on the fiber's own stack. Other fibers may run before it returns.
void on_invalid(int, siginfo_t*, void* context) {
  auto* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  auto* const instruction = reinterpret_cast<unsigned char*>(registers[REG_RIP]);
  if (!was_replaced(instruction)) { // a fault of the test: it occurs again
    __sigaction(SIGILL, &g_before, nullptr);
    return;
  }
  const long a[6] = {static_cast<long>(registers[REG_RDI]), static_cast<long>(registers[REG_RSI]),
                     static_cast<long>(registers[REG_RDX]), static_cast<long>(registers[REG_R10]),
                     static_cast<long>(registers[REG_R8]),  static_cast<long>(registers[REG_R9])};
  const int error = errno;
  long result = 0;
  if (registers[REG_RAX] != SYS_futex || g.forked_off ||
      !futex_call(a, instruction + sizeof k_invalid, reinterpret_cast<void*>(registers[REG_RSP]), result))
    result = raw_syscall(static_cast<long>(registers[REG_RAX]), a[0], a[1], a[2], a[3], a[4], a[5]);
  else if (result < 0)
    result = -errno;
  errno = error;
  registers[REG_RAX] = result;
  registers[REG_RIP] += sizeof k_invalid;
}

} // namespace

bool replace_inline_futexes() {
  if (g_call_count == 0) dl_iterate_phdr(visit, nullptr);
  return !g_has_library || g_call_count != 0;
}

void catch_inline_futexes() {
  if (g_call_count == 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_invalid;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  __sigaction(SIGILL, &action, &g_before);
}

} // namespace reex
