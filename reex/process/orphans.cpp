#include "reex/process/orphans.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "reex/process/process_tree.h"
#include "reex/process/stray_signals.h"

namespace reex {
namespace {

std::mutex g_mutex;
bool g_adopts = false;
std::vector<pid_t> g_not_orphans; // there before a test, when no other ran
std::vector<pid_t> g_own;

bool contains(const std::vector<pid_t>& list, pid_t process) {
  return std::find(list.begin(), list.end(), process) != list.end();
}

// Costs one system call where there are none.
std::vector<pid_t> own_children() {
  siginfo_t any = {};
  const bool none = waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 && errno == ECHILD;
  return none ? std::vector<pid_t>() : children_now(getpid());
}

// Under the lock.
std::vector<pid_t> orphans() {
  if (!g_adopts) return {};
  std::vector<pid_t> found = own_children();
  std::erase_if(found, [](pid_t child) { return contains(g_not_orphans, child) || contains(g_own, child); });
  return found;
}

// Under the lock. The children of those that end here are the next ones.
void end_all() {
  constexpr unsigned k_tries = 2000; // milliseconds
  for (unsigned tries = 0; tries < k_tries; ++tries) {
    const std::vector<pid_t> found = orphans();
    if (found.empty()) return;
    for (const pid_t orphan : found) {
      kill(orphan, SIGKILL);
      waitpid(orphan, nullptr, WNOHANG);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace

void adopt_orphans() {
  const std::lock_guard lock(g_mutex);
  if (g_own.empty()) g_not_orphans = own_children();
  if (g_adopts || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return;
  g_adopts = true;
  ignore_signals_of_children(g_not_orphans);
}

void add_own_child(pid_t child) {
  const std::lock_guard lock(g_mutex);
  g_own.push_back(child);
}

void remove_own_child(pid_t child) {
  const std::lock_guard lock(g_mutex);
  if (std::erase(g_own, child) != 0 && g_own.empty()) end_all();
}

bool has_orphans() {
  const std::lock_guard lock(g_mutex);
  const std::vector<pid_t> found = orphans();
  return std::any_of(found.begin(), found.end(), is_alive);
}

void reap_orphans() {
  const std::lock_guard lock(g_mutex);
  siginfo_t ended = {};
  if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 && ended.si_pid == 0) return;
  for (const pid_t orphan : orphans()) waitpid(orphan, nullptr, WNOHANG);
}

void end_orphans() {
  const std::lock_guard lock(g_mutex);
  if (g_own.empty()) end_all();
}

} // namespace reex
