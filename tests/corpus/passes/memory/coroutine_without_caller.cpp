// The first function of a coroutine has a return address at which nothing is mapped, as minicoro's has. Where
// it stands is told without what is there.
#include <cassert>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>

#include <ucontext.h>

namespace {

ucontext_t caller;
ucontext_t coroutine;
std::mutex mutex;
int value = 0;

void resumed() {
  {
    const std::lock_guard lock(mutex);
    ++value;
  }
  setcontext(&caller);
}

void run() {
  alignas(16) static char stack[1 << 16];
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = sizeof stack;
  coroutine.uc_link = nullptr;
  makecontext(&coroutine, resumed, 0);
  constexpr std::uint64_t k_nowhere = 0xdeaddeaddeaddead;
  std::memcpy(reinterpret_cast<void*>(coroutine.uc_mcontext.gregs[REG_RSP]), &k_nowhere, sizeof k_nowhere);
  swapcontext(&caller, &coroutine);
}

} // namespace

int main() {
  std::thread other([] {
    const std::lock_guard lock(mutex);
    ++value;
  });
  run();
  other.join();
  assert(value == 2);
}
