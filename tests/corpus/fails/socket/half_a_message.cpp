// Two threads answer on one socket, each with two writes. The receiver assumes that each answer comes as a
// whole.
#include <cassert>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

int main() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 99;
  const auto answer = [&](char id) {
    for (int part = 0; part < 2; ++part)
      if (write(ends[1], &id, 1) != 1) _exit(99);
  };
  std::thread one(answer, '1');
  std::thread two(answer, '2');
  for (int message = 0; message < 2; ++message) {
    char text[2] = {};
    if (recv(ends[0], text, 2, MSG_WAITALL) != 2) return 99;
    assert(text[0] == text[1]);
  }
  one.join();
  two.join();
  return 0;
}
