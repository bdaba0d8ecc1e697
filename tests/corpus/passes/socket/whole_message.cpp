// Two threads answer on one socket, each with one write.
#include <cassert>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

int main() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 99;
  const auto answer = [&](char id) {
    const char text[] = {id, id};
    if (write(ends[1], text, 2) != 2) _exit(99);
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
