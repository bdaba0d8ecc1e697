// The reader waits for the end of the pipe, which the last writer closes.
#include <atomic>
#include <thread>

#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 99;
  std::atomic<int> left{2};
  const auto write_one = [&] {
    if (write(ends[1], "x", 1) != 1) _exit(99);
    if (--left == 0) close(ends[1]);
  };
  std::thread one(write_one);
  std::thread two(write_one);
  char byte = 0;
  while (read(ends[0], &byte, 1) == 1) {
  }
  one.join();
  two.join();
  return 0;
}
