// Threads that wait for sockets, and for several sockets at the same time.
#include <atomic>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "channels.h"
#include "scenario.h"

namespace {

void socketpair_echo() {
  const Pair pair;
  std::thread server([&] {
    while (const char byte = take(pair.ends[1])) {
      const char answer[] = {static_cast<char>(byte + 1), 0};
      put(pair.ends[1], answer);
    }
  });
  std::string got;
  for (const char* question : {"a", "c", "e"}) {
    put(pair.ends[0], question);
    got += take(pair.ends[0]);
  }
  shutdown(pair.ends[0], SHUT_WR);
  server.join();
  std::printf("%s\n", got.c_str());
}

void datagrams() {
  const Pair pair(SOCK_DGRAM);
  char got[2][8] = {};
  std::thread one([&] { recv(pair.ends[1], got[0], 7, 0); });
  std::thread two([&] { recv(pair.ends[1], got[1], 7, 0); });
  send(pair.ends[0], "ab", 2, 0);
  send(pair.ends[0], "c", 1, 0);
  one.join();
  two.join();
  std::printf("%s%s\n", got[0], got[1]);
}

sockaddr_in loopback(int descriptor) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  check(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0, "getsockname");
  return address;
}

// Does not listen yet.
int bind_on_loopback() {
  const int bound = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(bind(bound, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  return bound;
}

int listen_on_loopback() {
  const int listener = bind_on_loopback();
  check(listen(listener, 8) == 0, "listen");
  return listener;
}

int connect_to(int listener, int client = socket(AF_INET, SOCK_STREAM, 0)) {
  const sockaddr_in address = loopback(listener);
  check(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
  return client;
}

void echo_once(int listener) {
  const int accepted = accept(listener, nullptr, nullptr);
  check(accepted >= 0, "accept");
  while (const char byte = take(accepted)) {
    const char answer[] = {static_cast<char>(byte + 1), 0};
    put(accepted, answer);
  }
  close(accepted);
}

void tcp_echo() {
  const int listener = listen_on_loopback();
  const int first = socket(AF_INET, SOCK_STREAM, 0);
  std::thread server([&] { echo_once(listener); });
  const int client = connect_to(listener, first);
  put(client, "a");
  char got[2] = {take(client), 0};
  shutdown(client, SHUT_WR);
  const char last = take(client);
  server.join();
  std::printf("%s%d\n", got, last);
}

// Connected before the first thread, with a byte that was not received yet.
void tcp_pair_before() {
  const int listener = listen_on_loopback();
  const int client = connect_to(listener);
  const int server = accept(listener, nullptr, nullptr);
  put(client, "a");
  std::thread sender([&] {
    put(client, "b");
    close(client);
  });
  const std::string got = take_all(server);
  sender.join();
  std::printf("%s\n", got.c_str());
}

// One server thread that handles everything with epoll, and two clients.
void epoll_server(bool edge) {
  const int listener = listen_on_loopback();
  fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK);
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener;
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  std::string served;
  std::thread server([&] {
    for (int closed = 0; closed < 2;) {
      epoll_event ready[4];
      const int count = epoll_wait(poller, ready, 4, -1);
      check(count > 0, "epoll_wait");
      for (int i = 0; i < count; ++i) {
        const int from = ready[i].data.fd;
        if (from == listener) {
          const int accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
          if (accepted < 0) continue;
          epoll_event added{};
          added.events = EPOLLIN | (edge ? EPOLLET : 0u);
          added.data.fd = accepted;
          epoll_ctl(poller, EPOLL_CTL_ADD, accepted, &added);
          continue;
        }
        char byte = 0;
        ssize_t got = 0;
        while ((got = read(from, &byte, 1)) == 1) served += byte;
        if (got == 0) {
          close(from);
          ++closed;
        }
      }
    }
  });
  const auto ask = [&](const char* text) {
    const int client = connect_to(listener);
    put(client, text);
    close(client);
  };
  std::thread one([&] { ask("1"); });
  std::thread two([&] { ask("2"); });
  one.join();
  two.join();
  server.join();
  std::printf("%s\n", served.c_str());
}

void epoll_level() { epoll_server(false); }
void epoll_edge() { epoll_server(true); }

void full_socket() {
  const Pair pair;
  std::thread writer([&] {
    const std::vector<char> data(1000000, 'd');
    char head[] = {'h'};
    iovec parts[] = {{head, 1}, {const_cast<char*>(data.data()), data.size()}};
    check(writev(pair.ends[0], parts, 2) == 1000001, "writev");
    shutdown(pair.ends[0], SHUT_WR);
  });
  std::vector<char> all(1000001);
  const ssize_t got = recv(pair.ends[1], all.data(), all.size(), MSG_WAITALL);
  writer.join();
  std::printf("%zd %c%c\n", got, all.front(), all.back());
}

void receive_times_out() {
  const Pair pair;
  timeval limit{3, 0};
  setsockopt(pair.ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ssize_t got = 0;
  std::thread receiver([&] {
    char byte;
    got = recv(pair.ends[0], &byte, 1, 0);
  });
  receiver.join();
  std::printf("%zd\n", got);
}

// A server is stopped by shutting its listener down. The next execution finds it listening, at the same port,
// although the server's side closes first and keeps the address.
void shut_down_listener() {
  const int listener = listen_on_loopback();
  int served = 0;
  std::thread server([&] {
    for (int accepted; (accepted = accept(listener, nullptr, nullptr)) >= 0; close(accepted)) ++served;
  });
  const int client = connect_to(listener);
  const char last = take(client);
  close(client);
  shutdown(listener, SHUT_RDWR);
  shutdown(listener, SHUT_RDWR);
  server.join();
  std::printf("%d%d\n", last, served);
}

// A server is closed that was opened before the first thread: as long as a second descriptor leads to it, it
// is reached. Then nobody reaches it, and another one gets its address.
void close_listener() {
  const int listener = listen_on_loopback();
  const int second = dup(listener);
  sockaddr_in address = loopback(listener);
  const auto reached = [&] {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const bool is_reached = connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(client);
    return is_reached;
  };
  bool before = false;
  std::thread other([&] {
    close(listener);
    before = reached();
    close(second);
  });
  other.join();
  const bool behind = reached();
  const int next = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(next, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound =
      bind(next, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(next, 1) == 0;
  std::printf("%d%d%d%d\n", before, behind, bound, reached());
}

// The kernel chooses both ports, in each execution others.
void prints_ports() {
  std::thread server([] {
    const int listener = listen_on_loopback();
    std::printf("server: port %d\n", ntohs(loopback(listener).sin_port));
    close(listener);
  });
  std::thread other([] {
    const int listener = listen_on_loopback();
    const int client = connect_to(listener);
    std::printf("client: port %d\n", ntohs(loopback(client).sin_port));
    close(client);
    close(listener);
  });
  server.join();
  other.join();
}

// Bound before the first thread, and listening behind it: before that, nobody can connect.
void bound_before() {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  std::thread server([&] { check(listen(listener, 1) == 0, "listen"); });
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  const bool early = connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0;
  server.join();
  std::printf("%s\n", early ? "early" : "late");
}

void bind_and_fail() {
  std::thread server([] {
    check(listen(bind_on_loopback(), 1) == 0, "listen");
    std::abort();
  });
  server.join();
}

// The port is free in every execution.
void fixed_port() {
  const int listener = listen_on_loopback();
  sockaddr_in address = loopback(listener);
  close(listener);
  std::string got;
  std::thread server([&] {
    const int own = socket(AF_INET, SOCK_STREAM, 0);
    check(bind(own, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(own, 1) == 0,
          "bind");
    const int client = connect_to(own);
    const int accepted = accept(own, nullptr, nullptr);
    close(accepted); // the side that closes first keeps the address
    got = std::to_string(take(client));
    close(client);
  });
  std::atomic<int> turns{0};
  ++turns;
  server.join();
  std::printf("%s\n", got.c_str());
}

// Two sockets do not get one address, unless both ask for it.
void one_address() {
  const auto second_gets = [](int type, int reuse) {
    const int first = socket(AF_INET, type, 0);
    const int second = socket(AF_INET, type, 0);
    for (const int each : {first, second}) setsockopt(each, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    check(bind(first, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
    address = loopback(first);
    const bool bound = bind(second, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    check(bound || errno == EADDRINUSE, "the second bind");
    close(first);
    close(second);
    return bound;
  };
  std::thread binding([&] {
    std::printf("%d%d %d%d\n", second_gets(SOCK_STREAM, 0), second_gets(SOCK_DGRAM, 0),
                second_gets(SOCK_STREAM, 1), second_gets(SOCK_DGRAM, 1));
  });
  binding.join();
}

// Nobody has accepted the connection when the first thread begins.
void connected_before() {
  const int listener = listen_on_loopback();
  const int client = connect_to(listener);
  char got = 0;
  std::thread server([&] {
    const int accepted = accept(listener, nullptr, nullptr);
    got = take(accepted);
    put(accepted, "b");
  });
  put(client, "a");
  const char answer = take(client);
  server.join();
  std::printf("%c%c\n", got, answer);
}

// There is room for two. The kernel drops what asks for the third connection, and asks again after a second,
// while the first thread waits for it and nobody else can run.
void crowded_listener() {
  const int listener = bind_on_loopback();
  check(listen(listener, 1) == 0, "listen");
  std::thread client([listener] {
    for (int i = 0; i < 3; ++i) connect_to(listener);
  });
  int accepted = 0;
  for (int i = 0; i < 3; ++i) accepted += accept(listener, nullptr, nullptr) >= 0 ? 1 : 0;
  client.join();
  std::printf("%d\n", accepted);
}

// The same of a socket that does not wait: `wait` tells when it is connected.
void connect_to_crowd(void (*wait)(int descriptor)) {
  const int listener = bind_on_loopback();
  check(listen(listener, 1) == 0, "listen");
  connect_to(listener);
  connect_to(listener);
  int error = -1;
  std::thread client([&] {
    const int late = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    const sockaddr_in address = loopback(listener);
    check(connect(late, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0, "connect");
    wait(late);
    socklen_t size = sizeof error;
    check(getsockopt(late, SOL_SOCKET, SO_ERROR, &error, &size) == 0, "getsockopt");
  });
  for (int i = 0; i < 3; ++i) check(accept(listener, nullptr, nullptr) >= 0, "accept");
  client.join();
  std::printf("%d\n", error);
}
void crowded_listener_polled() {
  connect_to_crowd([](int descriptor) {
    pollfd made{descriptor, POLLOUT, 0};
    check(poll(&made, 1, -1) == 1, "poll");
  });
}
void crowded_listener_asked() {
  connect_to_crowd([](int descriptor) {
    for (pollfd made{descriptor, POLLOUT, 0}; poll(&made, 1, 0) == 0;) std::this_thread::yield();
  });
}
// One second is less than this time.
void crowded_listener_in_time() {
  connect_to_crowd([](int descriptor) {
    pollfd made{descriptor, POLLOUT, 0};
    check(poll(&made, 1, 60000) == 1, "poll");
  });
}
// Nobody accepts the third.
void full_listener() {
  const int listener = bind_on_loopback();
  check(listen(listener, 1) == 0, "listen");
  std::thread client([listener] {
    for (int i = 0; i < 3; ++i) connect_to(listener);
  });
  client.join();
}

// Nobody receives the message. The next execution does not find it.
void unread_message() {
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(bind(receiver, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  const sockaddr_in there = loopback(receiver);
  std::atomic<bool> begun{false};
  int found = -1;
  std::thread other([&] {
    pollfd asked{receiver, POLLIN, 0};
    if (!begun.exchange(true)) found = poll(&asked, 1, 0);
  });
  if (!begun.exchange(true)) {
    const int sender = socket(AF_INET, SOCK_DGRAM, 0);
    check(sendto(sender, "a", 1, 0, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 1, "sendto");
  }
  other.join();
  std::printf("%d\n", found);
}

// It has sent data, too.
void sent_before() {
  const int listener = listen_on_loopback();
  const int client = connect_to(listener);
  put(client, "a");
  char got = 0;
  std::thread server([&] { got = take(accept(listener, nullptr, nullptr)); });
  server.join();
  std::printf("%c\n", got);
}

void local_connection_before() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "reex-pair-%d",
                static_cast<int>(getpid()));
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  check(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            listen(listener, 1) == 0,
        "listen");
  const int client = socket(AF_UNIX, SOCK_STREAM, 0);
  check(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
  const int server = accept(listener, nullptr, nullptr);
  std::thread([&] { put(client, "1"); }).join();
  std::printf("%c\n", take(server));
}

// The kernel has no way to undo it.
void shut_down_local_listener() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "reex-shut-%d",
                static_cast<int>(getpid()));
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  check(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            listen(listener, 1) == 0,
        "listen");
  std::thread server([&] { check(accept(listener, nullptr, nullptr) < 0, "accept"); });
  shutdown(listener, SHUT_RDWR);
  server.join();
}

// They fail at once, and nothing has to come for that.
void receive_at_wrong_ends() {
  const int listener = listen_on_loopback();
  int pipes[2];
  int pair[2];
  check(pipe(pipes) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0, "pipe");
  std::thread other([] {});
  char byte = 0;
  check(read(pipes[1], &byte, 1) < 0 && errno == EBADF, "read");
  check(write(pipes[0], &byte, 1) < 0 && errno == EBADF, "write");
  check(recv(listener, &byte, 1, 0) < 0 && errno == ENOTCONN, "recv");
  check(accept(pair[0], nullptr, nullptr) < 0 && errno == EOPNOTSUPP, "accept");
  check(accept(pipes[0], nullptr, nullptr) < 0 && errno == ENOTSOCK, "accept");
  check(recv(pipes[0], &byte, 1, 0) < 0 && errno == ENOTSOCK, "recv");
  other.join();
}

void unix_listener() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX; // an abstract name
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "reex-test-%d",
                static_cast<int>(getpid()));
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  check(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            listen(listener, 1) == 0,
        "listen");
  std::string served;
  std::thread server([&] {
    for (int i = 0; i < 2; ++i) {
      const int accepted = accept(listener, nullptr, nullptr);
      served += take(accepted);
      close(accepted);
    }
  });
  const auto ask = [&](const char* text) {
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    check(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
    put(client, text);
    close(client);
  };
  std::thread one([&] { ask("1"); });
  std::thread two([&] { ask("2"); });
  one.join();
  two.join();
  server.join();
  std::printf("%s\n", served.c_str());
}

// The kernel would hold the second byte back until the first one is acknowledged.
void short_segments() {
  const int listener = listen_on_loopback();
  const sockaddr_in address = loopback(listener);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  check(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connect");
  const int server = accept(listener, nullptr, nullptr);
  std::string got;
  std::thread other([&] {
    for (int i = 0; i < 4; ++i) { // so that the server's acknowledgements come late
      take(server);
      put(server, "x");
    }
    got += take(server);
    got += take(server);
    put(server, "x");
  });
  for (int i = 0; i < 4; ++i) {
    put(client, "a");
    take(client);
  }
  put(client, "b");
  put(client, "c");
  take(client);
  other.join();
  std::printf("%s\n", got.c_str());
}

void peer_is_the_test() {
  const Pair pair;
  std::thread([&] { put(pair.ends[0], "a"); }).join();
  ucred peer{};
  socklen_t size = sizeof peer;
  check(getsockopt(pair.ends[1], SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, "getsockopt");
  std::printf("%d %d\n", peer.pid == getpid(), getsockopt(-1, SOL_SOCKET, SO_PEERCRED, &peer, &size));
}

// A client asks again if the server does not listen yet.
void asks_again() {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  std::thread server([&] { check(listen(listener, 1) == 0, "listen"); });
  int refusals = 0;
  const auto ask = [&] {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const bool done = connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(client);
    refusals += !done;
    return done;
  };
  const bool done = ask() || ask();
  server.join();
  check(done || ask(), "connect");
  std::printf("%d\n", refusals);
}

bool reaches(const sockaddr_in& address, int client) {
  return connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// As often as it must.
void ask_until_reached(const sockaddr_in& address, void (*pause)()) {
  for (;;) {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const bool reached = reaches(address, client);
    close(client);
    if (reached) return;
    pause();
  }
}

// The server listens when the client has its turn to end.
void asks_until_reached(int clients, void (*pause)()) {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  std::vector<std::thread> asking;
  for (int i = 0; i < clients; ++i) asking.emplace_back([&] { ask_until_reached(address, pause); });
  check(listen(listener, 4) == 0, "listen");
  for (std::thread& each : asking) each.join();
  std::printf("reached\n");
}

void yield() { sched_yield(); }
void rest() { usleep(1000); }

void asks_until() {
  asks_until_reached(1, [] {});
}
void asks_and_yields() { asks_until_reached(1, yield); }
void asks_and_sleeps() { asks_until_reached(1, rest); }
void two_ask() {
  asks_until_reached(2, [] {});
}

// With one socket for all attempts.
void asks_with_one_socket() {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  std::thread client([&] {
    const int own = socket(AF_INET, SOCK_STREAM, 0);
    while (!reaches(address, own)) sched_yield();
  });
  check(listen(listener, 4) == 0, "listen");
  client.join();
  std::printf("reached\n");
}

// Another thread sees the number that a socket has, and the one that the next descriptor gets.
void sees_a_number() {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  std::thread client([&] { ask_until_reached(address, yield); });
  sched_yield();
  const int lowest = dup(listener);
  check(listen(listener, 4) == 0, "listen");
  client.join();
  std::printf("%d\n", lowest - listener);
}

void asks_in_vain() {
  const sockaddr_in address = loopback(bind_on_loopback());
  std::thread client([&] { ask_until_reached(address, yield); });
  client.join();
}

void two_ask_in_vain() {
  const sockaddr_in address = loopback(bind_on_loopback());
  std::thread one([&] { ask_until_reached(address, yield); });
  std::thread two([&] { ask_until_reached(address, yield); });
  one.join();
  two.join();
}

// The address is free for others.
void asks_outside() {
  const int listener = bind_on_loopback();
  const sockaddr_in address = loopback(listener);
  close(listener);
  std::thread client([&] { ask_until_reached(address, yield); });
  client.join();
}

// Messages of a local socket without a name, which was connected before the first thread.
void unnamed_sender_before() {
  const int receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
  const int sender = socket(AF_UNIX, SOCK_DGRAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "reex-test-%ld", syscall(SYS_getpid));
  check(bind(receiver, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "bind");
  check(connect(sender, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0, "connect");
  std::thread sending([&] { check(send(sender, "a", 1, 0) == 1, "send"); });
  const char got = take(receiver);
  sending.join();
  std::printf("%c\n", got);
}

// The reading end of a pipe goes from one thread to another.
void passes_a_pipe() {
  const Pair pair;
  char got = 0;
  std::thread receiver([&] {
    Message message;
    int end = -1;
    check(recvmsg(pair.ends[1], message.header(), 0) == 1 && message.carries(SCM_RIGHTS, end), "recvmsg");
    got = take(end);
    close(end);
  });
  {
    const Pipe pipe;
    Message message('d');
    message.carry(SCM_RIGHTS, pipe.out());
    check(sendmsg(pair.ends[0], message.header(), 0) == 1, "sendmsg");
    close(pipe.out());
    put(pipe.in(), "p");
    close(pipe.in());
  }
  receiver.join();
  std::printf("%c %d\n", got, dup(pair.ends[1]) - pair.ends[1]);
}

void passes_a_file() {
  const Pair pair;
  std::string got;
  std::thread receiver([&] {
    Message message;
    int files[2] = {-1, -1};
    check(recvmsg(pair.ends[1], message.header(), MSG_CMSG_CLOEXEC) == 1 &&
              message.carries(SCM_RIGHTS, files),
          "recvmsg");
    check(pwrite(files[1], "t", 1, 0) == 1 && lseek(files[1], 0, SEEK_SET) == 0, "write");
    check(take(files[0]) == 0x7f && fcntl(files[0], F_GETFD) == FD_CLOEXEC, "the program");
    got = {take(files[1]), take(files[1])};
  });
  const int files[2] = {open("/proc/self/exe", O_RDONLY), memfd_create("text", 0)};
  put(files[1], "ae");
  Message message('d');
  message.carry(SCM_RIGHTS, files);
  check(sendmsg(pair.ends[0], message.header(), 0) == 1, "sendmsg");
  close(files[0]);
  close(files[1]);
  receiver.join();
  std::printf("%s\n", got.c_str());
}

// The kernel tells who has sent a message, and whether that is true.
void tells_credentials() {
  const Pair pair(SOCK_DGRAM);
  const int yes = 1;
  check(setsockopt(pair.ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0, "setsockopt");
  bool known = true;
  std::thread receiver([&] {
    for (int i = 0; i < 2; ++i) {
      Message message;
      ucred sender{};
      check(recvmsg(pair.ends[1], message.header(), 0) == 1 && message.carries(SCM_CREDENTIALS, sender),
            "recvmsg");
      known = known && sender.pid == getpid() && sender.uid == getuid();
    }
  });
  Message silent('s');
  silent.carry_nothing();
  Message message('c');
  const ucred own{getpid(), getuid(), getgid()};
  message.carry(SCM_CREDENTIALS, own);
  check(sendmsg(pair.ends[0], silent.header(), 0) == 1 && sendmsg(pair.ends[0], message.header(), 0) == 1,
        "sendmsg");
  ucred still{};
  const bool same = message.carries(SCM_CREDENTIALS, still) && still.pid == own.pid;
  receiver.join();
  std::printf("%d%d\n", known, same);
}

// Several in one call.
void many_messages() {
  const Pair pair(SOCK_DGRAM);
  std::string got;
  std::thread receiver([&] {
    while (got.size() < 3) {
      Message messages[3];
      mmsghdr all[3] = {};
      for (int i = 0; i < 3; ++i) all[i].msg_hdr = *messages[i].header();
      const int count = recvmmsg(pair.ends[1], all, 3, MSG_WAITFORONE, nullptr);
      check(count > 0, "recvmmsg");
      for (int i = 0; i < count; ++i) got += messages[i].byte();
    }
  });
  Message messages[2]{Message('a'), Message('b')};
  mmsghdr all[2] = {};
  for (int i = 0; i < 2; ++i) {
    messages[i].carry_nothing();
    all[i].msg_hdr = *messages[i].header();
  }
  check(sendmmsg(pair.ends[0], all, 2, 0) == 2, "sendmmsg");
  put(pair.ends[0], "c");
  receiver.join();
  std::printf("%s\n", got.c_str());
}

// By stdio, in both directions, and with a stream from before the first thread.
void stream_echo() {
  const Pair pair;
  std::FILE* const client = fdopen(pair.ends[0], "r+");
  std::thread server([&] {
    std::FILE* const stream = fdopen(pair.ends[1], "r+");
    char line[16];
    while (std::fgets(line, sizeof line, stream) != nullptr) {
      ++line[0];
      std::fputs(line, stream);
      std::fflush(stream);
    }
    std::fclose(stream);
  });
  std::string got;
  for (const char* question : {"a\n", "c\n"}) {
    std::fputs(question, client);
    std::fflush(client);
    char line[16];
    check(std::fgets(line, sizeof line, client) != nullptr, "fgets");
    got += line[0];
  }
  shutdown(fileno(client), SHUT_WR);
  const int last = std::fgetc(client);
  std::fclose(client);
  server.join();
  std::printf("%s%d\n", got.c_str(), last);
}

// Nobody listens there.
void refused() {
  const int listener = listen_on_loopback();
  const sockaddr_in address = loopback(listener);
  close(listener);
  std::atomic<int> refusals{0};
  const auto connecting = [&](int flags) {
    const int client = socket(AF_INET, SOCK_STREAM | flags, 0);
    int result =
        connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
    socklen_t size = sizeof result;
    if (result == EINPROGRESS) getsockopt(client, SOL_SOCKET, SO_ERROR, &result, &size);
    refusals += result == ECONNREFUSED;
    close(client);
  };
  std::thread one(connecting, 0);
  std::thread two(connecting, SOCK_NONBLOCK);
  one.join();
  two.join();
  std::printf("%d\n", refusals.load());
}

// libc asks the kernel for addresses, and looks for a service that is not there.
void looks_up_a_name() {
  std::atomic<int> done{0};
  const auto look_up = [&] {
    addrinfo wanted{};
    wanted.ai_flags = AI_ADDRCONFIG;
    addrinfo* found = nullptr;
    if (getaddrinfo("localhost", "80", &wanted, &found) == 0) freeaddrinfo(found);
    ifaddrs* own = nullptr;
    check(getifaddrs(&own) == 0, "getifaddrs");
    freeifaddrs(own);
    ++done;
  };
  std::thread one(look_up);
  std::thread two(look_up);
  one.join();
  two.join();
  std::printf("%d\n", done.load());
}

constexpr Scenario k_scenarios[] = {
    {"socketpair_echo", socketpair_echo},
    {"datagrams", datagrams},
    {"tcp_echo", tcp_echo},
    {"looks_up_a_name", looks_up_a_name},
    {"prints_ports", prints_ports},
    {"refused", refused},
    {"unnamed_sender_before", unnamed_sender_before},
    {"asks_again", asks_again},
    {"passes_a_pipe", passes_a_pipe},
    {"passes_a_file", passes_a_file},
    {"tells_credentials", tells_credentials},
    {"many_messages", many_messages},
    {"stream_echo", stream_echo},
    {"asks_until", asks_until},
    {"asks_and_yields", asks_and_yields},
    {"asks_and_sleeps", asks_and_sleeps},
    {"two_ask", two_ask},
    {"asks_with_one_socket", asks_with_one_socket},
    {"sees_a_number", sees_a_number},
    {"asks_in_vain", asks_in_vain},
    {"two_ask_in_vain", two_ask_in_vain},
    {"asks_outside", asks_outside},
    {"tcp_pair_before", tcp_pair_before},
    {"epoll_level", epoll_level},
    {"epoll_edge", epoll_edge},
    {"full_socket", full_socket},
    {"receive_times_out", receive_times_out},
    {"bind_and_fail", bind_and_fail},
    {"fixed_port", fixed_port},
    {"one_address", one_address},
    {"connected_before", connected_before},
    {"unread_message", unread_message},
    {"crowded_listener", crowded_listener},
    {"crowded_listener_polled", crowded_listener_polled},
    {"crowded_listener_asked", crowded_listener_asked},
    {"crowded_listener_in_time", crowded_listener_in_time},
    {"full_listener", full_listener},
    {"sent_before", sent_before},
    {"shut_down_listener", shut_down_listener},
    {"shut_down_local_listener", shut_down_local_listener},
    {"close_listener", close_listener},
    {"bound_before", bound_before},
    {"local_connection_before", local_connection_before},
    {"receive_at_wrong_ends", receive_at_wrong_ends},
    {"unix_listener", unix_listener},
    {"short_segments", short_segments},
    {"peer_is_the_test", peer_is_the_test},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
