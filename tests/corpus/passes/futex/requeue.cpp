// Who sleeps on one word is moved to another one, and woken there.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <thread>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

std::atomic<std::uint32_t> word{0}, other{0};
std::atomic<int> awake{0};
int published = 0;

void sleep_once() {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  if (word != 0) assert(published == 1);
  ++awake;
}

int main() {
  std::thread first(sleep_once), second(sleep_once);
  errno = 0;
  assert(syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 0, INT_MAX, &other, 7) == -1 &&
         errno == EAGAIN);
  published = 1;
  word = 1; // who has not begun to sleep will not
  const long acted = syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, INT_MAX, &other, 1);
  assert(acted >= 0 && acted <= 2);
  const long moved = syscall(SYS_futex, &other, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  assert(moved == (acted == 2 ? 1 : 0));
  first.join();
  second.join();
  assert(awake == 2);
  return 0;
}
