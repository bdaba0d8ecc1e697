// A thread closes a descriptor twice. In between, another thread may get its number for a pipe of its own.
#include <cassert>
#include <thread>

#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 99;
  std::thread closes([&] {
    close(ends[0]);
    close(ends[0]);
  });
  std::thread opens([] {
    int own[2];
    if (pipe(own) != 0) _exit(99);
    assert(close(own[0]) == 0);
  });
  closes.join();
  opens.join();
  return 0;
}
