// Threads that wait for descriptors. What comes before the first thread is shared by all executions; each has
// to find it as it was.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

std::string g_log;

void check(bool fine, const char* what) {
  if (fine) return;
  std::printf("%s failed\n", what);
  std::fflush(stdout);
  _exit(9);
}

struct Pipe {
  int ends[2];
  explicit Pipe(int flags = 0) { check(pipe2(ends, flags) == 0, "pipe2"); }
  int in() const { return ends[1]; }
  int out() const { return ends[0]; }
};

struct Pair {
  int ends[2];
  explicit Pair(int type = SOCK_STREAM) { check(socketpair(AF_UNIX, type, 0, ends) == 0, "socketpair"); }
};

// Not in virtual time.
void sleep_really(long milliseconds) {
  const timespec time{0, milliseconds * 1000000};
  syscall(SYS_nanosleep, &time, nullptr);
}

void put(int descriptor, const char* text) {
  check(write(descriptor, text, std::strlen(text)) == static_cast<ssize_t>(std::strlen(text)), "write");
}

// One byte, 0 at the end.
char take(int descriptor) {
  char byte = 0;
  const ssize_t got = read(descriptor, &byte, 1);
  check(got >= 0, "read");
  return got == 0 ? '\0' : byte;
}

std::string take_all(int descriptor) {
  std::string all;
  while (const char byte = take(descriptor)) all += byte;
  return all;
}

void produce_and_consume(const Pipe& channel) {
  std::thread producer([&] {
    put(channel.in(), "ab");
    put(channel.in(), "c");
    close(channel.in());
  });
  std::string got;
  std::thread consumer([&] { got = take_all(channel.out()); });
  producer.join();
  consumer.join();
  std::printf("%s\n", got.c_str());
}

void pipe_before() { produce_and_consume(Pipe()); }

void pipe_inside() {
  std::thread outer([] { produce_and_consume(Pipe()); });
  outer.join();
}

// Two readers: either gets the first byte.
void two_readers() {
  const Pipe channel;
  char got[2] = {};
  std::thread one([&] { got[0] = take(channel.out()); });
  std::thread two([&] { got[1] = take(channel.out()); });
  put(channel.in(), "ab");
  one.join();
  two.join();
  std::printf("%c%c\n", got[0], got[1]);
}

// A byte is left over at the end of each execution, and must not be there in the next.
void leftover() {
  const Pipe channel(O_NONBLOCK);
  const Pair pair;
  const int event = eventfd(0, EFD_NONBLOCK);
  put(channel.in(), "x");
  put(pair.ends[0], "yz");
  std::thread worker([&] {
    put(channel.in(), "1");
    put(pair.ends[0], "2");
    eventfd_write(event, 3);
  });
  worker.join();
  int bytes = 0;
  char all[16];
  bytes += static_cast<int>(read(channel.out(), all, sizeof all)) * 10;
  bytes += static_cast<int>(recv(pair.ends[1], all, sizeof all, MSG_PEEK));
  eventfd_t value = 0;
  eventfd_read(event, &value);
  put(channel.in(), "left");
  eventfd_write(event, 100);
  std::printf("%d %d\n", bytes, static_cast<int>(value));
}

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

int listen_on_loopback() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  check(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            listen(listener, 8) == 0,
        "listen");
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

// Connected before the first thread, with a byte under way.
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

// One server thread for everything that comes, by epoll; two clients.
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

// Both threads wait for the same edge; one gets it and wakes the other.
void one_edge() {
  const Pipe channel;
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLET;
  epoll_ctl(poller, EPOLL_CTL_ADD, channel.out(), &event);
  std::atomic<int> order{0};
  int got[2] = {};
  const auto wait = [&](int id) {
    epoll_event ready{};
    check(epoll_wait(poller, &ready, 1, -1) == 1, "epoll_wait");
    got[id] = ++order;
    if (got[id] == 1) put(channel.in(), "b");
  };
  std::thread one(wait, 0);
  std::thread two(wait, 1);
  put(channel.in(), "a");
  one.join();
  two.join();
  std::printf("%d%d\n", got[0], got[1]);
}

void event_as_semaphore() {
  const int event = eventfd(1, EFD_SEMAPHORE);
  std::string order;
  const auto work = [&](char id) {
    eventfd_t value = 0;
    check(eventfd_read(event, &value) == 0 && value == 1, "eventfd_read");
    order += id;
    check(eventfd_write(event, 1) == 0, "eventfd_write");
  };
  std::thread one(work, '1');
  std::thread two(work, '2');
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

// A self-pipe ends the loop; the timeout passes only where nobody else can run.
void self_pipe() {
  const Pipe stop;
  std::atomic<int> turns{0};
  std::thread loop([&] {
    pollfd waited{stop.out(), POLLIN, 0};
    while (poll(&waited, 1, 1000) == 0) ++turns;
  });
  std::thread stopper([&] { put(stop.in(), "s"); });
  loop.join();
  stopper.join();
  std::printf("%d\n", turns.load());
}

void poll_times_out() {
  const Pipe never;
  int results[3] = {};
  std::thread waiter([&] {
    pollfd waited{never.out(), POLLIN, 0};
    results[0] = poll(&waited, 1, 100000000);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(never.out(), &set);
    timeval limit{100000, 0};
    results[1] = select(never.out() + 1, &set, nullptr, nullptr, &limit);
    results[1] += FD_ISSET(never.out(), &set) ? 10 : 0;
    const int poller = epoll_create1(0);
    epoll_event event{};
    results[2] = epoll_wait(poller, &event, 1, 100000000);
  });
  waiter.join();
  std::printf("%d%d%d\n", results[0], results[1], results[2]);
}

void poll_of_nothing() { // a way to sleep
  std::string order;
  std::thread one([&] {
    poll(nullptr, 0, 200);
    order += '1';
  });
  std::thread two([&] {
    timeval time{0, 100000};
    select(0, nullptr, nullptr, nullptr, &time);
    order += '2';
  });
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

void select_two() {
  const Pipe first;
  const Pipe second;
  std::string order;
  std::thread reader([&] {
    for (int taken = 0; taken < 2;) {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(first.out(), &set);
      FD_SET(second.out(), &set);
      check(select(second.out() + 1, &set, nullptr, nullptr, nullptr) > 0, "select");
      for (const Pipe* channel : {&first, &second})
        if (FD_ISSET(channel->out(), &set)) {
          order += take(channel->out());
          ++taken;
        }
    }
  });
  std::thread one([&] { put(first.in(), "1"); });
  std::thread two([&] { put(second.in(), "2"); });
  reader.join();
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

// More than a pipe holds: the writer waits for the reader in the middle of a write.
void full_pipe() {
  const Pipe channel;
  fcntl(channel.in(), F_SETPIPE_SZ, 4096);
  std::thread writer([&] {
    const std::vector<char> data(10000, 'd');
    check(write(channel.in(), data.data(), data.size()) == 10000, "write");
    close(channel.in());
  });
  std::size_t total = 0;
  char buffer[3000];
  for (ssize_t got; (got = read(channel.out(), buffer, sizeof buffer)) > 0;)
    total += static_cast<std::size_t>(got);
  writer.join();
  std::printf("%zu\n", total);
}

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

void unread_pipes() {
  const Pipe one;
  const Pipe two;
  const int from_one = dup2(one.out(), 101);
  const int from_two = dup2(two.out(), 102);
  std::thread first([&] { put(two.in(), std::string(1, take(from_one)).c_str()); });
  std::thread second([&] { put(one.in(), std::string(1, take(from_two)).c_str()); });
  first.join();
  second.join();
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

// The byte may be there or not.
void without_waiting() {
  const Pipe channel(O_NONBLOCK);
  std::thread writer([&] { put(channel.in(), "a"); });
  char byte = '-';
  if (read(channel.out(), &byte, 1) < 0) byte = '-';
  writer.join();
  std::printf("%c\n", byte);
}

void spin_on_read() {
  const Pipe channel(O_NONBLOCK);
  std::thread writer([&] { put(channel.in(), "a"); });
  char byte = 0;
  while (read(channel.out(), &byte, 1) != 1) {
  }
  writer.join();
  std::printf("%c\n", byte);
}

void by_number() {
  const Pipe channel;
  char byte = 0;
  std::thread reader([&] { syscall(SYS_read, channel.out(), &byte, 1); });
  std::thread writer([&] { syscall(SYS_write, channel.in(), "n", 1); });
  reader.join();
  writer.join();
  std::printf("%c\n", byte);
}

void timers() {
  const int early = timerfd_create(CLOCK_MONOTONIC, 0);
  const int late = timerfd_create(CLOCK_REALTIME, 0);
  itimerspec often{{10, 0}, {10, 0}};
  timerfd_settime(early, 0, &often, nullptr);
  itimerspec once{{0, 0}, {25, 0}};
  timerfd_settime(late, 0, &once, nullptr);
  std::string order;
  const auto wait = [&](char id, int timer, int turns) {
    for (std::uint64_t times = 0; turns-- > 0;) {
      check(read(timer, &times, sizeof times) == sizeof times && times == 1, "timer");
      order += id;
    }
  };
  std::thread one(wait, 'e', early, 3);
  std::thread two(wait, 'l', late, 1);
  one.join();
  two.join();
  itimerspec left{};
  timerfd_gettime(late, &left);
  std::printf("%s %d\n", order.c_str(), static_cast<int>(left.it_value.tv_sec));
}

void timer_in_epoll() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const int poller = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u32 = 7;
  epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event);
  std::thread arming([&] {
    const itimerspec once{{0, 0}, {1000, 0}};
    timerfd_settime(timer, 0, &once, nullptr);
  });
  epoll_event ready{};
  const int count = epoll_wait(poller, &ready, 1, -1);
  std::uint64_t times = 0;
  const ssize_t got = read(timer, &times, sizeof times);
  arming.join();
  std::printf("%d %u %zd\n", count, ready.data.u32, got);
}

void child() {
  int status = 0;
  std::thread waiter([&] {
    const pid_t made = fork();
    if (made == 0) _exit(3);
    check(waitpid(made, &status, 0) == made, "waitpid");
  });
  std::atomic<int> turns{0};
  std::thread worker([&] {
    ++turns;
    ++turns;
  });
  waiter.join();
  worker.join();
  std::printf("%d %d\n", WEXITSTATUS(status), turns.load());
}

// The child waits for what another thread sends it.
void child_at_pipe() {
  const Pipe channel;
  int status = 0;
  std::thread waiter([&] {
    const pid_t made = fork();
    if (made == 0) _exit(take(channel.out()));
    check(waitpid(made, &status, 0) == made, "waitpid");
  });
  std::thread sender([&] { put(channel.in(), "\5"); });
  waiter.join();
  sender.join();
  std::printf("%d\n", WEXITSTATUS(status));
}

void child_answers() {
  const Pipe channel;
  std::string got;
  std::thread parent([&] {
    const pid_t made = fork();
    if (made == 0) {
      sleep_really(3);
      put(channel.in(), "from the child");
      _exit(0);
    }
    close(channel.in());
    got = take_all(channel.out());
    int status = 0;
    check(wait(&status) == made, "wait");
  });
  parent.join();
  std::printf("%s\n", got.c_str());
}

void file_locks() {
  const char name[] = "locked.txt";
  std::string order;
  const auto work = [&](char id) {
    const int file = open(name, O_CREAT | O_RDWR, 0600);
    check(file >= 0 && flock(file, LOCK_EX) == 0, "flock");
    order += id;
    std::this_thread::yield();
    order += id;
    check(flock(file, LOCK_UN) == 0, "flock");
    close(file);
  };
  std::thread one(work, '1');
  std::thread two(work, '2');
  one.join();
  two.join();
  std::printf("%s\n", order.c_str());
}

void child_by_popen() {
  std::string got;
  std::thread reader([&] {
    FILE* command = popen("echo one; sleep 0.01; echo two", "r");
    char line[16];
    while (std::fgets(line, sizeof line, command) != nullptr) got += line;
    check(pclose(command) == 0, "pclose");
  });
  std::atomic<int> turns{0};
  std::thread worker([&] { ++turns; });
  reader.join();
  worker.join();
  std::printf("%s%d\n", got.c_str(), turns.load());
}

// A grandchild, whose parent has ended, holds the other end.
void orphan_answers() {
  const Pipe channel;
  std::string got;
  std::thread parent([&] {
    const pid_t made = fork();
    if (made == 0) {
      if (fork() == 0) {
        sleep_really(3);
        put(channel.in(), "orphan");
      }
      _exit(0);
    }
    check(waitpid(made, nullptr, 0) == made, "waitpid");
    close(channel.in());
    got = take_all(channel.out());
  });
  parent.join();
  std::printf("%s\n", got.c_str());
}

void streams() {
  const Pipe channel;
  std::string got;
  std::thread reader([&] {
    FILE* stream = fdopen(channel.out(), "r");
    char line[16];
    while (std::fgets(line, sizeof line, stream) != nullptr) got += line[0];
    std::fclose(stream);
  });
  std::thread writer([&] {
    FILE* stream = fdopen(channel.in(), "w");
    std::fprintf(stream, "1 line\n");
    std::fflush(stream);
    std::fprintf(stream, "2 lines\n");
    std::fclose(stream);
  });
  reader.join();
  writer.join();
  std::printf("%s\n", got.c_str());
}

// Waited for before there are threads: time is real then, a timer's is not.
void timer_before() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec once{{0, 0}, {100000, 0}};
  timerfd_settime(timer, 0, &once, nullptr);
  pollfd waited{timer, POLLIN, 0};
  std::string got = poll(&waited, 1, 0) == 0 ? "0" : "-";
  got += poll(&waited, 1, -1) == 1 ? "1" : "-";
  std::uint64_t times = 0;
  got += read(timer, &times, sizeof times) == 8 && times == 1 ? "r" : "-";
  std::thread([&] { got += 't'; }).join();
  std::printf("%s\n", got.c_str());
}

// Every execution finds the port free.
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
    close(accepted); // the first to close keeps the address
    got = std::to_string(take(client));
    close(client);
  });
  std::atomic<int> turns{0};
  ++turns;
  server.join();
  std::printf("%s\n", got.c_str());
}

void child_made_before() {
  const pid_t made = fork();
  if (made == 0) {
    sleep_really(200);
    _exit(3);
  }
  std::thread([&] { waitpid(made, nullptr, 0); }).join();
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

// While a child lives, it may be what everybody waits for.
void deadlock_beside_a_child() {
  const Pipe channel;
  std::thread([&] {
    if (fork() == 0) {
      sleep_really(300);
      _exit(0);
    }
    take(channel.out());
  }).join();
}

void poll_or_byte() {
  const Pipe channel;
  pollfd waited{channel.out(), POLLIN, 0};
  std::thread writer([&] { put(channel.in(), "a"); });
  std::printf("%s\n", poll(&waited, 1, 1000) == 0 ? "late" : "in time");
  writer.join();
}

// Opened before the first thread: read from where it stood, and of its old length, each time.
void file_before() {
  const int file = open("before.txt", O_CREAT | O_TRUNC | O_RDWR, 0600);
  put(file, "abc");
  lseek(file, 1, SEEK_SET);
  const int log = open("log.txt", O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0600);
  char got = 0;
  std::thread reader([&] {
    got = take(file);
    lseek(file, 0, SEEK_END);
    put(file, "more");
    put(log, "line");
  });
  reader.join();
  std::printf("%c %d %d\n", got, static_cast<int>(lseek(file, 0, SEEK_END)),
              static_cast<int>(lseek(log, 0, SEEK_END)));
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

constexpr Scenario k_scenarios[] = {
    {"pipe_before", pipe_before},
    {"pipe_inside", pipe_inside},
    {"two_readers", two_readers},
    {"leftover", leftover},
    {"socketpair_echo", socketpair_echo},
    {"datagrams", datagrams},
    {"tcp_echo", tcp_echo},
    {"tcp_pair_before", tcp_pair_before},
    {"epoll_level", epoll_level},
    {"epoll_edge", epoll_edge},
    {"one_edge", one_edge},
    {"event_as_semaphore", event_as_semaphore},
    {"self_pipe", self_pipe},
    {"poll_times_out", poll_times_out},
    {"poll_of_nothing", poll_of_nothing},
    {"select_two", select_two},
    {"full_pipe", full_pipe},
    {"full_socket", full_socket},
    {"unread_pipes", unread_pipes},
    {"receive_times_out", receive_times_out},
    {"without_waiting", without_waiting},
    {"spin_on_read", spin_on_read},
    {"by_number", by_number},
    {"timers", timers},
    {"timer_in_epoll", timer_in_epoll},
    {"child", child},
    {"child_at_pipe", child_at_pipe},
    {"child_answers", child_answers},
    {"file_locks", file_locks},
    {"file_before", file_before},
    {"unix_listener", unix_listener},
    {"child_by_popen", child_by_popen},
    {"orphan_answers", orphan_answers},
    {"streams", streams},
    {"timer_before", timer_before},
    {"fixed_port", fixed_port},
    {"child_made_before", child_made_before},
    {"local_connection_before", local_connection_before},
    {"deadlock_beside_a_child", deadlock_beside_a_child},
    {"poll_or_byte", poll_or_byte},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
