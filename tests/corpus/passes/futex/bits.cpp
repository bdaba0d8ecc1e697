// Two threads sleep on one word for different bits. Each is woken by a call with its own bit, although that
// call wakes one thread only.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

std::atomic<std::uint32_t> word{0};
std::atomic<bool> go[2];

long futex(int operation, std::uint32_t value, std::uint32_t bits) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, nullptr, nullptr, bits);
}

void sleep_for_bit(unsigned bit) {
  while (!go[bit]) {
    const std::uint32_t seen = word;
    if (go[bit]) return;
    futex(FUTEX_WAIT_BITSET, seen, 1u << bit);
  }
}

void wake_bit(unsigned bit) {
  go[bit] = true;
  ++word;
  futex(FUTEX_WAKE_BITSET, 1, 1u << bit);
}

int main() {
  errno = 0;
  assert(futex(FUTEX_WAIT_BITSET, 0, 0) == -1 && errno == EINVAL);
  std::thread first(sleep_for_bit, 0), second(sleep_for_bit, 1);
  wake_bit(1);
  wake_bit(0);
  first.join();
  second.join();
  return 0;
}
