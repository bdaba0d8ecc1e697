// stdio writes to a pipe and closes its descriptor; the file behind the next descriptor with its number is
// the same, and yet another.
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace {

int ends[2];
int value = 0;

void close_by_stream() {
  const int file = open("/dev/zero", O_RDONLY);
  char byte;
  if (read(file, &byte, 1) != 1) std::abort();
  std::fclose(fdopen(file, "r"));
}

void close_itself() {
  const int file = open("/dev/zero", O_RDONLY);
  close(file);
}

} // namespace

int main() {
  if (pipe(ends) != 0) return 0;
  FILE* const stream = fdopen(ends[1], "w");
  std::thread reader([] {
    char byte;
    if (read(ends[0], &byte, 1) != 1 || value != 1) std::abort();
  });
  value = 1;
  std::fputc('a', stream);
  std::fflush(stream);
  reader.join();
  std::thread one(close_by_stream), two(close_itself);
  one.join();
  two.join();
}
