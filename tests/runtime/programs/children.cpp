// Threads that wait for child processes, or for data that these write.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>

#include "channels.h"
#include "scenario.h"

namespace {

timespec now_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time;
}

// The kernel's own clock: functions of libc tell virtual time.
timespec really_now() {
  timespec time{};
  long result = SYS_clock_gettime;
  asm volatile("syscall" : "+a"(result) : "D"(CLOCK_MONOTONIC), "S"(&time) : "rcx", "r11", "memory");
  return time;
}

long milliseconds_since(const timespec& start, const timespec& end) {
  return (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
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

// The child waits for data from another thread.
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

// Threads hand over memory through another process, which passes on what it reads, and by its end.
void child_passes_on() {
  const Pipe there, back;
  int before = 0, given = 0;
  std::thread reader([&] {
    take(back.out());
    std::printf("%d %d\n", before, given);
  });
  std::thread waiter([&] {
    while (wait(nullptr) < 0) std::this_thread::yield();
    std::printf("%d\n", before);
  });
  before = 1;
  if (fork() == 0) {
    const char passed = take(there.out());
    if (write(back.in(), &passed, 1) != 1) std::abort();
    _exit(0);
  }
  given = 1;
  put(there.in(), "a");
  waiter.join();
  reader.join();
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

// A grandchild whose parent has ended has the other end of the pipe.
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

void child_made_before() {
  const pid_t made = fork();
  if (made == 0) {
    sleep_really(3000);
    _exit(3);
  }
  std::thread([&] { waitpid(made, nullptr, 0); }).join();
}

struct Shared {
  std::atomic<int> count;
};

// The child has ended before the first thread. Two threads wait for it, by number and for any.
void child_ended_before() {
  auto* const shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t made = fork();
  if (made == 0) {
    ++shared->count;
    _exit(3);
  }
  int found = 0;
  std::thread other([&] {
    ++shared->count;
    siginfo_t told{};
    check(waitid(P_PID, static_cast<id_t>(made), &told, WEXITED | WNOWAIT) != 0 ||
              (told.si_pid == made && told.si_status == 3),
          "waitid");
    found += wait(nullptr) == made;
  });
  other.join();
  int status = 0;
  const pid_t again = waitpid(made, &status, 0);
  check(again == -1 && errno == ECHILD, "waitpid");
  std::printf("%d %d\n", found, shared->count.load());
}

// The same, and each of two threads may be the one that finds it.
void child_ended_before_for_two() {
  const pid_t made = fork();
  if (made == 0) _exit(3);
  std::atomic<int> finder = 0;
  const auto look = [&](int id) {
    int status = 0;
    if (waitpid(made, &status, WNOHANG) == made && WEXITSTATUS(status) == 3) finder = id;
  };
  std::thread one([&] { look(1); });
  std::thread two([&] { look(2); });
  one.join();
  two.join();
  std::printf("%d\n", finder.load());
}

// A thread looks once whether a child has ended that is at work.
void child_polled() {
  bool ended = false;
  std::thread waiter([&] {
    const pid_t made = fork();
    if (made == 0) {
      for (const timespec start = really_now(); milliseconds_since(start, really_now()) < 30;) continue;
      _exit(3);
    }
    ended = waitpid(made, nullptr, WNOHANG) == made;
    check(ended || waitpid(made, nullptr, 0) == made, "waitpid");
  });
  waiter.join();
  std::printf("%s\n", ended ? "ended" : "at work");
}

// No process is forked for that.
void no_child() {
  int found = 0;
  std::atomic<int> turns{0};
  std::thread waiter([&] {
    int status = 0;
    found += waitpid(-1, &status, WNOHANG) != -1 || errno != ECHILD;
    found += wait(nullptr) != -1 || errno != ECHILD;
    siginfo_t told{};
    found += waitid(P_PID, static_cast<id_t>(getpid()), &told, WEXITED) != -1 || errno != ECHILD;
    found += waitid(P_ALL, 0, &told, 0) != -1 || errno != EINVAL;
    ++turns;
  });
  ++turns;
  waiter.join();
  std::printf("%d %d\n", found, turns.load());
}

// The grandchild belongs to no group of the test, and lives on.
void daemon_is_left() {
  std::thread([] {
    const pid_t made = fork();
    if (made == 0) {
      setsid();
      if (fork() != 0) _exit(0);
      setsid();
      for (;;) pause();
    }
    check(waitpid(made, nullptr, 0) == made, "waitpid");
  }).join();
}

// The parent goes away before the first thread; the child goes on as the test.
void test_is_a_daemon() {
  if (fork() != 0) _exit(0);
  setsid();
  if (fork() != 0) _exit(0);
  std::thread([] {}).join();
  for (;;) pause();
}

// A child signals its parent when that is no longer the test.
void orphan_signals_its_parent() {
  std::thread([] {}).join();
  const pid_t test = getpid();
  if (fork() != 0) return;
  for (int tries = 0; getppid() == test && tries < 5000; ++tries) sleep_really(1);
  for (const int number : {SIGUSR1, SIGTERM, SIGINT, SIGHUP, SIGRTMIN + 2}) kill(getppid(), number);
  for (;;) pause();
}

// While a child lives, all threads may be waiting for it.
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

// The child's clocks and sleeps are real.
void child_sleeps() {
  int status = 0;
  std::thread([&] {
    const pid_t made = fork();
    if (made == 0) {
      const timespec own = now_of(CLOCK_MONOTONIC);
      const timespec real = really_now();
      usleep(20000);
      const timespec wait{0, 20000000};
      nanosleep(&wait, nullptr);
      const bool own_passed = milliseconds_since(own, now_of(CLOCK_MONOTONIC)) >= 40;
      _exit(own_passed && milliseconds_since(real, really_now()) >= 40 ? 7 : 1);
    }
    check(waitpid(made, &status, 0) == made, "waitpid");
  }).join();
  std::printf("%d\n", WEXITSTATUS(status));
}

std::atomic<int> ended{0};

void child_signal() {
  struct sigaction action {};
  action.sa_handler = [](int) { ++ended; };
  sigaction(SIGCHLD, &action, nullptr);
  std::thread waiter([] {
    const pid_t made = fork();
    if (made == 0) _exit(3);
    check(waitpid(made, nullptr, 0) == made, "waitpid");
  });
  std::atomic<int> turns{0};
  std::thread worker([&] { ++turns; });
  waiter.join();
  worker.join();
  std::printf("%d %d\n", ended.load(), turns.load());
}

// The kernel forgets these children: a wait fails with "no child" when all have ended.
void wait_for_forgotten() {
  std::thread([] {
    for (int i = 0; i < 2; ++i)
      if (fork() == 0) _exit(3);
    const pid_t got = wait(nullptr);
    std::printf("%s\n", got == -1 && errno == ECHILD ? "none" : "one");
  }).join();
}

void children_ignored() {
  signal(SIGCHLD, SIG_IGN);
  wait_for_forgotten();
}

void children_ignored_in_thread() {
  std::thread([] { signal(SIGCHLD, SIG_IGN); }).join();
  wait_for_forgotten();
}

void children_ignored_for_a_while() {
  std::thread([] {
    signal(SIGCHLD, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    const pid_t made = fork();
    if (made == 0) _exit(3);
    std::printf("%s\n", wait(nullptr) == made ? "one" : "none");
  }).join();
}

constexpr Scenario k_scenarios[] = {
    {"child", child},
    {"child_sleeps", child_sleeps},
    {"child_signal", child_signal},
    {"child_polled", child_polled},
    {"no_child", no_child},
    {"children_ignored", children_ignored},
    {"children_ignored_in_thread", children_ignored_in_thread},
    {"children_ignored_for_a_while", children_ignored_for_a_while},
    {"child_at_pipe", child_at_pipe},
    {"child_passes_on", child_passes_on},
    {"child_answers", child_answers},
    {"child_by_popen", child_by_popen},
    {"orphan_answers", orphan_answers},
    {"child_made_before", child_made_before},
    {"child_ended_before", child_ended_before},
    {"child_ended_before_for_two", child_ended_before_for_two},
    {"daemon_is_left", daemon_is_left},
    {"orphan_signals_its_parent", orphan_signals_its_parent},
    {"test_is_a_daemon", test_is_a_daemon},
    {"deadlock_beside_a_child", deadlock_beside_a_child},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
