// Who sleeps is moved to another word. Nobody wakes there.
#include <atomic>
#include <climits>
#include <cstdint>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

std::atomic<std::uint32_t> word{0}, other{0};

int main() {
  std::thread sleeper([] {
    while (word == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  });
  word = 1;
  syscall(SYS_futex, &word, FUTEX_REQUEUE_PRIVATE, 0, INT_MAX, &other, 0);
  sleeper.join();
  return 0;
}
