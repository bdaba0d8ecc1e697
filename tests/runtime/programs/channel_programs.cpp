// Executes small programs about channels that a test draws: each argument is what one thread does, a letter
// for each operation. What the threads have seen is printed.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include "channels.h"

namespace {

// Opened before the first thread.
struct Early {
  Pipe channel{O_NONBLOCK};
  Pipe full;
  std::FILE* into_full = fdopen(full.in(), "w");
  std::FILE* out_of_full = fdopen(full.out(), "r");
  Pair pair{SOCK_DGRAM};
  int event = eventfd(1, EFD_NONBLOCK | EFD_SEMAPHORE);
  int listener = -1;
  int poller = epoll_create1(0);
  sockaddr_in address{};
  int silent = -1; // it does not listen yet
  sockaddr_in silent_address{};

  Early(bool listens, bool binds) {
    put(full.in(), "yz");
    put(pair.ends[0], "p");
    if (listens) {
      listener = bind_on_loopback(address);
      check(listen(listener, 4) == 0, "listen");
    }
    if (binds) silent = bind_on_loopback(silent_address);
    for (const int each : {channel.out(), pair.ends[1], event, listener}) {
      epoll_event watched{};
      watched.events = EPOLLIN;
      watched.data.fd = each;
      check(each < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, each, &watched) == 0, "epoll_ctl");
    }
  }

private:
  static int bind_on_loopback(sockaddr_in& address) {
    const int bound = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    check(bind(bound, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
              getsockname(bound, reinterpret_cast<sockaddr*>(&address), &size) == 0,
          "bind");
    return bound;
  }
};

class Program {
public:
  Program(bool listens, bool binds) : m_early(listens, binds) {}

  std::string run(const char* operations) {
    std::string log;
    for (const char* at = operations; *at != 0; ++at) log += operate(*at) + ' ';
    return log;
  }

private:
  static std::string number(long value) { return std::to_string(value); }
  static std::string byte_of(long got, char byte) { return got == 1 ? std::string(1, byte) : number(got); }

  std::string receive(int from) {
    char byte = 0;
    const long got = read(from, &byte, 1);
    return byte_of(got, byte);
  }

  std::string ask() {
    epoll_event ready[4];
    const int count = epoll_wait(m_early.poller, ready, 4, 0);
    std::string names;
    for (int i = 0; i < count; ++i) names += static_cast<char>('a' + ready[i].data.fd % 26);
    std::sort(names.begin(), names.end());
    return "[" + names + "]";
  }

  std::string connect_and_accept() {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const int made =
        connect(client, reinterpret_cast<const sockaddr*>(&m_early.address), sizeof m_early.address);
    const int accepted = accept(m_early.listener, nullptr, nullptr);
    return number(client) + (made == 0 ? "+" : "-") + number(accepted);
  }

  bool reaches() {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    const auto* address = reinterpret_cast<const sockaddr*>(&m_early.silent_address);
    const bool reached = connect(client, address, sizeof m_early.silent_address) == 0;
    close(client);
    return reached;
  }

  std::string ask_until_reached() {
    while (!reaches())
      ;
    return "reached";
  }

  // Which of the two pipes can be read.
  std::string wait_for_either() {
    pollfd either[] = {{m_early.channel.out(), POLLIN, 0}, {m_early.full.out(), POLLIN, 0}};
    const int count = poll(either, 2, -1);
    return number(count) + (either[0].revents != 0 ? "c" : "") + (either[1].revents != 0 ? "f" : "");
  }

  std::string wait_at_poller() {
    epoll_event ready{};
    return number(epoll_wait(m_early.poller, &ready, 1, -1));
  }

  long send_two() {
    Message messages[2]{Message('1'), Message('2')};
    mmsghdr all[2] = {};
    for (int i = 0; i < 2; ++i) {
      messages[i].carry_nothing();
      all[i].msg_hdr = *messages[i].header();
    }
    return sendmmsg(m_early.pair.ends[0], all, 2, 0);
  }

  std::string receive_several() {
    Message messages[3];
    mmsghdr all[3] = {};
    for (int i = 0; i < 3; ++i) all[i].msg_hdr = *messages[i].header();
    const int count = recvmmsg(m_early.pair.ends[1], all, 3, MSG_DONTWAIT, nullptr);
    std::string got = number(count);
    for (int i = 0; i < count; ++i) got += messages[i].byte();
    return got;
  }

  long give() {
    Message message('g');
    message.carry(SCM_RIGHTS, m_early.channel.out());
    return sendmsg(m_early.pair.ends[0], message.header(), 0);
  }

  std::string get() {
    Message message;
    int end = -1;
    if (recvmsg(m_early.pair.ends[1], message.header(), MSG_DONTWAIT) < 0) return "-";
    return message.carries(SCM_RIGHTS, end) ? number(end) + receive(end) : std::string(1, message.byte());
  }

  long print() {
    std::fputc('i', m_early.into_full);
    return std::fflush(m_early.into_full);
  }

  std::string make_pipe() {
    const Pipe made;
    put(made.in(), "m");
    return number(made.out()) + take(made.out());
  }

  std::string operate(char what) {
    std::uint64_t value = 0;
    switch (what) {
    case 'w':
      return number(write(m_early.channel.in(), "w", 1));
    case 'r':
      return receive(m_early.channel.out());
    case 'R':
      return receive(m_early.full.out()); // the third byte may never come
    case 'W':
      put(m_early.full.in(), "W");
      return "";
    case 'e':
      return number(eventfd_write(m_early.event, 1));
    case 'E':
      return number(eventfd_read(m_early.event, &value));
    case 's':
      return number(send(m_early.pair.ends[0], "ss", 2, 0));
    case 'S':
      return number(recv(m_early.pair.ends[1], &value, 8, MSG_DONTWAIT));
    case 'p':
      return ask();
    case 'P':
      return wait_for_either();
    case 'B':
      return wait_at_poller();
    case 'm':
      return make_pipe();
    case 'd':
      return number(dup(m_early.channel.out()));
    case 'c':
      return number(close(m_early.channel.in()));
    case 'C':
      return number(close(m_early.pair.ends[0]));
    case 't':
      return connect_and_accept();
    case 'M':
      return number(send_two());
    case 'N':
      return receive_several();
    case 'g':
      return number(give());
    case 'G':
      return get();
    case 'i':
      return number(print());
    case 'I':
      return std::string(1, static_cast<char>(std::fgetc(m_early.out_of_full)));
    case 'a':
      return ask_until_reached();
    case 'A':
      return number(reaches());
    case 'n':
      return number(listen(m_early.silent, 4));
    case 'f': {
      int waiting = 0;
      ioctl(m_early.full.out(), FIONREAD, &waiting);
      return number(waiting);
    }
    case 'l': {
      const std::lock_guard guard(m_lock);
      return number(++m_locked);
    }
    default:
      return number(m_count.fetch_add(1));
    }
  }

  Early m_early;
  std::mutex m_lock;
  int m_locked = 0;
  std::atomic<int> m_count{0};
};

} // namespace

int main(int count, char** arguments) {
  signal(SIGPIPE, SIG_IGN);
  const auto has_one_of = [&](const char* operations) {
    return std::any_of(arguments + 1, arguments + count,
                       [&](const char* all) { return std::strpbrk(all, operations) != nullptr; });
  };
  Program program(has_one_of("t"), has_one_of("aAn"));
  std::vector<std::string> logs(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < logs.size(); ++i)
    threads.emplace_back([&, i] { logs[i] = program.run(arguments[i]); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 1; i < logs.size(); ++i) std::printf("%s| ", logs[i].c_str());
}
