// Two threads close the same end of a pipe.
#include <thread>
#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  std::thread other([&] { close(ends[1]); });
  close(ends[1]);
  other.join();
  close(ends[0]);
}
