// A server puts another file behind a number that others read: dup2 does it in one step.
#include <fcntl.h>
#include <thread>
#include <unistd.h>

int main() {
  const int file = open("/dev/zero", O_RDONLY);
  const int other_file = open("/dev/null", O_RDONLY);
  std::thread reader([file] {
    char byte;
    while (read(file, &byte, 1) < 0) continue;
  });
  dup2(other_file, file);
  reader.join();
  close(file);
  close(other_file);
}
