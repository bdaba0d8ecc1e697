// What goes through a pipe orders the threads: the reader closes both ends. Then others open and close
// descriptors with the same numbers, each its own.
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace {

int ends[2];

void open_and_close() {
  const int file = open("/dev/zero", O_RDONLY);
  char byte;
  if (read(file, &byte, 1) == 1) close(file);
}

} // namespace

int main() {
  if (pipe(ends) != 0) return 0;
  std::thread reader([] {
    char byte;
    while (read(ends[0], &byte, 1) != 1) continue;
    close(ends[0]);
    close(ends[1]);
  });
  if (write(ends[1], "a", 1) != 1) return 0;
  reader.join();
  std::thread one(open_and_close), two(open_and_close);
  one.join();
  two.join();
}
