// Threads that wait for child processes, or for what these write.
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include <sys/wait.h>

#include "channels.h"
#include "scenario.h"

namespace {

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

void child_made_before() {
  const pid_t made = fork();
  if (made == 0) {
    sleep_really(200);
    _exit(3);
  }
  std::thread([&] { waitpid(made, nullptr, 0); }).join();
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

constexpr Scenario k_scenarios[] = {
    {"child", child},
    {"child_at_pipe", child_at_pipe},
    {"child_answers", child_answers},
    {"child_by_popen", child_by_popen},
    {"orphan_answers", orphan_answers},
    {"child_made_before", child_made_before},
    {"deadlock_beside_a_child", deadlock_beside_a_child},
};

} // namespace

int main(int count, char** arguments) { return run_scenario(k_scenarios, count, arguments); }
