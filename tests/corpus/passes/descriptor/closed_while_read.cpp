// One thread reads a file, and nothing orders this with the other one, which closes it.
#include <fcntl.h>
#include <thread>
#include <unistd.h>

int main() {
  const int file = open("/dev/zero", O_RDONLY);
  std::thread reader([file] {
    char byte;
    if (read(file, &byte, 1) != 1) _exit(0); // it was closed before
  });
  close(file);
  reader.join();
}
