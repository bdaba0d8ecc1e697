// One call takes a bit away from a word, and wakes sleepers on that word and on another one.
#include <atomic>
#include <cassert>
#include <climits>
#include <cstdint>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

constexpr std::uint32_t k_waits = 1u << 31;
std::atomic<std::uint32_t> low{0}, high{k_waits};

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  while (word == value) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

int main() {
  std::thread one([] { sleep_while(low, 0); });
  std::thread many([] { sleep_while(high, k_waits); });
  low = 1;
  const auto clear = static_cast<std::uint32_t>(FUTEX_OP(
      FUTEX_OP_ANDN | FUTEX_OP_OPARG_SHIFT, 31, FUTEX_OP_CMP_LT, 0)); // its upper bit makes it negative
  const long woken = syscall(SYS_futex, &low, FUTEX_WAKE_OP_PRIVATE, 1, INT_MAX, &high, clear);
  assert(woken >= 0 && woken <= 2);
  assert(high == 0);
  one.join();
  many.join();
  return 0;
}
