// An event loop: a thread waits for an eventfd and a pair of sockets by epoll, and answers what main sends.
#include <cstdint>
#include <cstdlib>
#include <thread>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

void require(bool fine) {
  if (!fine) std::abort();
}

void watch(int poller, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  require(epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

void run(int poller, int stop, int socket) {
  for (;;) {
    epoll_event ready{};
    require(epoll_wait(poller, &ready, 1, -1) == 1);
    if (ready.data.fd == stop) return;
    char byte = 0;
    require(read(socket, &byte, 1) == 1 && write(socket, &byte, 1) == 1);
  }
}

} // namespace

int main() {
  const int poller = epoll_create1(0);
  const int stop = eventfd(0, 0);
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  watch(poller, stop);
  watch(poller, ends[1]);
  std::thread loop(run, poller, stop, ends[1]);
  for (int i = 0; i < 3; ++i) {
    char byte = 'a';
    require(write(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1);
  }
  require(eventfd_write(stop, 1) == 0);
  loop.join();
}
