// The processes of a test are found through the kernel, and no other process can be signalled.
#include <atomic>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "reex/process/process_tree.h"

namespace reex::control_test {
namespace {

// A child that waits; `grandchild`: with a child of its own that does likewise.
class Child {
public:
  explicit Child(bool grandchild) {
    int ready[2];
    if (pipe(ready) != 0) return;
    m_pid = fork();
    if (m_pid == 0) {
      setpgid(0, 0);
      const bool inner = grandchild && fork() == 0;
      if (!grandchild || inner) {
        [[maybe_unused]] const ssize_t told = write(ready[1], "x", 1);
      }
      for (;;) pause();
    }
    char byte = 0;
    [[maybe_unused]] const ssize_t heard = read(ready[0], &byte, 1);
    close(ready[0]);
    close(ready[1]);
  }
  ~Child() {
    kill(-m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t pid() const { return m_pid; }

private:
  pid_t m_pid = -1;
};

TEST(ProcessTree, FindsTheChildOfAProcess) {
  const Child alone(false);
  const Child parent(true);
  EXPECT_FALSE(youngest_child(alone.pid()));
  const std::optional<pid_t> found = youngest_child(parent.pid());
  ASSERT_TRUE(found);
  EXPECT_NE(*found, parent.pid());
  EXPECT_EQ(getpgid(*found), parent.pid());
  EXPECT_EQ(youngest_child(getpid()), parent.pid());
}

TEST(ProcessTree, SignalsChildrenAlone) {
  const Child stranger(false);
  const Child parent(true);
  EXPECT_FALSE(signal_child(stranger.pid(), parent.pid(), SIGKILL));
  for (const pid_t pid : {1, 0, -1, getpid(), parent.pid()})
    EXPECT_FALSE(signal_child(pid, parent.pid(), SIGKILL));
  EXPECT_TRUE(is_alive(stranger.pid()));
  EXPECT_TRUE(is_alive(parent.pid()));
  const std::optional<pid_t> child = youngest_child(parent.pid());
  ASSERT_TRUE(child);
  EXPECT_TRUE(signal_child(*child, parent.pid(), SIGKILL));
  for (unsigned tries = 0; is_alive(*child) && tries < 2000; ++tries) usleep(1000);
  EXPECT_FALSE(is_alive(*child));
  EXPECT_FALSE(youngest_child(parent.pid()));
}

// The kernel answers a read of what was opened before a process was waited for with "no such process".
TEST(ProcessTree, IsReadWhileProcessesEnd) {
  std::atomic<pid_t> newest{0};
  std::atomic<bool> done{false};
  std::thread parent([&] {
    for (unsigned child = 0; child < 3000; ++child) {
      const pid_t pid = fork();
      if (pid == 0) _exit(0);
      newest = pid;
      waitpid(pid, nullptr, 0);
    }
    done = true;
  });
  EXPECT_NO_THROW(while (!done) {
    is_alive(newest);
    children_now(getpid());
  });
  parent.join();
}

TEST(ProcessTree, KnowsWhenAGroupHasEnded) {
  pid_t group = 0;
  {
    const Child parent(true);
    group = parent.pid();
    EXPECT_TRUE(is_group_alive(group));
  }
  for (unsigned tries = 0; is_group_alive(group) && tries < 2000; ++tries) usleep(1000);
  EXPECT_FALSE(is_group_alive(group));
}

} // namespace
} // namespace reex::control_test
