// Signals that are read from descriptors (signalfd).
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenario.h"

namespace {

sigset_t set_of(int number, int other = 0) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  if (other != 0) sigaddset(&set, other);
  return set;
}

// Blocks the signals, as a test has to that reads them.
int descriptor_of(int number, int flags = SFD_NONBLOCK, int other = 0) {
  const sigset_t set = set_of(number, other);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return signalfd(-1, &set, flags);
}

signalfd_siginfo take(int descriptor) {
  signalfd_siginfo told{};
  if (read(descriptor, &told, sizeof told) != sizeof told) told.ssi_signo = 0;
  return told;
}

std::string text_of(int descriptor) {
  const unsigned number = take(descriptor).ssi_signo;
  return number == 0 ? "-" : std::to_string(number);
}

bool is_ready(int descriptor, int wait = 0) {
  pollfd asked{descriptor, POLLIN, 0};
  return poll(&asked, 1, wait) == 1;
}

void waits() {
  const int descriptor = descriptor_of(SIGUSR1, 0);
  std::thread reader([descriptor] {
    const signalfd_siginfo told = take(descriptor);
    const bool is_own = told.ssi_pid == static_cast<unsigned>(getpid());
    std::printf("%u %d %d\n", told.ssi_signo, told.ssi_code == SI_QUEUE ? 6 : 0, is_own ? told.ssi_int : 0);
  });
  sigqueue(getpid(), SIGUSR1, {.sival_int = 5});
  reader.join();
}

void looks() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread reader([descriptor] { std::printf("%s\n", text_of(descriptor).c_str()); });
  kill(getpid(), SIGUSR1);
  reader.join();
}

// One call reads all that there is room for.
void polled() {
  const int descriptor = descriptor_of(SIGRTMIN, SFD_NONBLOCK, SIGUSR2);
  std::thread reader([descriptor] {
    const bool ready = is_ready(descriptor, -1);
    std::printf("%d %u ", ready, take(descriptor).ssi_signo);
    signalfd_siginfo told[3];
    const bool again = is_ready(descriptor, -1);
    ssize_t got = 0;
    while (got < 2)
      if (const ssize_t size = read(descriptor, told, sizeof told); size > 0) got += size / 128;
    std::printf("%d %d\n", again, is_ready(descriptor));
  });
  kill(getpid(), SIGUSR2);
  for (int i = 0; i < 2; ++i) sigqueue(getpid(), SIGRTMIN, {.sival_int = i});
  reader.join();
}

// Each signal makes an edge, as long as those before were not read, too.
void edges() {
  const int descriptor = descriptor_of(SIGRTMIN);
  const int epoll = epoll_create1(0);
  epoll_event event{.events = EPOLLIN | EPOLLET, .data = {}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  std::thread([=] {
    epoll_event found{};
    sigqueue(getpid(), SIGRTMIN, {.sival_int = 1});
    const int first = epoll_wait(epoll, &found, 1, 0);
    sigqueue(getpid(), SIGRTMIN, {.sival_int = 2});
    const int second = epoll_wait(epoll, &found, 1, 0);
    const int third = epoll_wait(epoll, &found, 1, 0);
    int read = 0;
    while (take(descriptor).ssi_signo != 0) ++read;
    std::printf("%d %d %d %d\n", first, second, third, read);
  }).join();
}

// What was sent to a thread is there for this thread alone.
void to_one_thread() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread([descriptor] {
    raise(SIGUSR1);
    std::thread([descriptor] {
      std::printf("%d ", is_ready(descriptor));
      std::printf("%s ", text_of(descriptor).c_str());
    }).join();
    std::printf("%d ", is_ready(descriptor));
    std::printf("%s\n", text_of(descriptor).c_str());
  }).join();
}

// There is no data race.
void orders() {
  const int descriptor = descriptor_of(SIGUSR1, 0);
  int data = 0;
  std::thread reader([descriptor, &data] {
    take(descriptor);
    std::printf("%d\n", data);
  });
  data = 7;
  kill(getpid(), SIGUSR1);
  reader.join();
}

void spins() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread reader([descriptor] {
    unsigned number = 0;
    while (number == 0) number = take(descriptor).ssi_signo;
    std::printf("%u\n", number);
  });
  kill(getpid(), SIGUSR1);
  reader.join();
}

void of_a_timer() {
  const int descriptor = descriptor_of(SIGALRM, 0);
  std::thread([descriptor] {
    timespec before{}, after{};
    clock_gettime(CLOCK_MONOTONIC, &before);
    alarm(2);
    const unsigned number = take(descriptor).ssi_signo;
    clock_gettime(CLOCK_MONOTONIC, &after);
    std::printf("%u %d\n", number, static_cast<int>(after.tv_sec - before.tv_sec));
  }).join();
}

void other_set() {
  const int descriptor = descriptor_of(SIGUSR1, SFD_NONBLOCK, SIGUSR2);
  std::thread([descriptor] {
    sigset_t set = set_of(SIGUSR1);
    signalfd(descriptor, &set, 0);
    kill(getpid(), SIGUSR2);
    std::printf("%s ", text_of(descriptor).c_str());
    set = set_of(SIGUSR2);
    signalfd(descriptor, &set, 0);
    std::printf("%s\n", text_of(descriptor).c_str());
  }).join();
}

void two_readers() {
  static std::atomic<int> who{0};
  const int descriptor = descriptor_of(SIGUSR1, 0);
  const auto read_once = [descriptor](int self) {
    if (take(descriptor).ssi_signo == SIGUSR1) who = self;
    kill(getpid(), SIGUSR1);
  };
  std::thread one(read_once, 1);
  std::thread two(read_once, 2);
  kill(getpid(), SIGUSR1);
  one.join();
  two.join();
  std::printf("%d\n", who.load());
}

void waits_in_vain() {
  const int descriptor = descriptor_of(SIGUSR1, 0);
  std::thread([descriptor] { take(descriptor); }).join();
}

void before_threads() {
  const int descriptor = descriptor_of(SIGUSR1);
  raise(SIGUSR1);
  std::string text = is_ready(descriptor) ? "1 " : "0 ";
  text += text_of(descriptor) + " ";
  text += text_of(descriptor) + " ";
  raise(SIGUSR1);
  std::thread([] {}).join();
  text += text_of(descriptor);
  std::printf("%s\n", text.c_str());
}

void by_number() {
  const sigset_t set = set_of(SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  const auto descriptor = static_cast<int>(syscall(SYS_signalfd4, -1, &set, 8, SFD_CLOEXEC));
  std::thread reader([descriptor] { std::printf("%s\n", text_of(descriptor).c_str()); });
  kill(getpid(), SIGUSR1);
  reader.join();
}

void errors() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread([descriptor] {
    const sigset_t set = set_of(SIGUSR1);
    const auto error_of = [](long result) { return result < 0 ? errno : 0; };
    const int event = eventfd(0, 0);
    char little[100];
    std::printf("%d ", error_of(signalfd(-1, &set, 1)));
    std::printf("%d ", error_of(signalfd(event, &set, 0)));
    std::printf("%d ", error_of(signalfd(1000, &set, 0)));
    std::printf("%d ", error_of(read(descriptor, little, sizeof little)));
    signalfd_siginfo told;
    std::printf("%d\n", error_of(read(descriptor, &told, sizeof told)));
  }).join();
}

// Its number belongs to a pipe.
void closed() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread([descriptor] {
    close(descriptor);
    int ends[2];
    if (pipe(ends) != 0 || ends[0] != descriptor) std::abort();
    kill(getpid(), SIGUSR1);
    char byte = 0;
    if (write(ends[1], "x", 1) == 1 && read(ends[0], &byte, 1) == 1) std::printf("%c\n", byte);
  }).join();
}

void child_ended() {
  const int descriptor = descriptor_of(SIGCHLD, 0);
  std::thread([descriptor] {
    const pid_t child = fork();
    if (child == 0) _exit(3);
    const bool ready = is_ready(descriptor, -1);
    const unsigned number = take(descriptor).ssi_signo;
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("%u %d %d\n", number, ready, WEXITSTATUS(status));
  }).join();
}

void in_a_child() {
  const int descriptor = descriptor_of(SIGUSR1, 0);
  std::thread([descriptor] {
    const pid_t child = fork();
    if (child == 0) {
      kill(getpid(), SIGUSR1);
      _exit(static_cast<int>(take(descriptor).ssi_signo));
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::printf("%d\n", WEXITSTATUS(status));
  }).join();
}

// Each thread makes one of its own.
void made_by_two() {
  std::array<unsigned, 2> got{};
  const auto wait = [](unsigned& signal, int number) {
    const int descriptor = descriptor_of(number);
    kill(getpid(), number);
    signal = take(descriptor).ssi_signo;
  };
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGUSR1);
  sigaddset(&both, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &both, nullptr);
  std::thread one(wait, std::ref(got[0]), SIGUSR1);
  std::thread two(wait, std::ref(got[1]), SIGUSR2);
  one.join();
  two.join();
  std::printf("%u %u\n", got[0], got[1]);
}

void copied() {
  const int descriptor = descriptor_of(SIGUSR1);
  std::thread([descriptor] { [[maybe_unused]] const int copy = dup(descriptor); }).join();
}

constexpr Scenario k_scenarios[] = {
    {"waits", waits},
    {"looks", looks},
    {"polled", polled},
    {"edges", edges},
    {"to_one_thread", to_one_thread},
    {"orders", orders},
    {"spins", spins},
    {"of_a_timer", of_a_timer},
    {"other_set", other_set},
    {"two_readers", two_readers},
    {"waits_in_vain", waits_in_vain},
    {"before_threads", before_threads},
    {"by_number", by_number},
    {"errors", errors},
    {"closed", closed},
    {"child_ended", child_ended},
    {"in_a_child", in_a_child},
    {"made_by_two", made_by_two},
    {"copied", copied},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
