#include "reex/process/stray_signals.h"

#include <algorithm>
#include <sys/wait.h>

namespace reex {
namespace {

// Read by handlers, which are not there while it is written.
std::vector<pid_t> g_others;
volatile std::sig_atomic_t g_ignores = 0;

// Of those whose default action ends a process; neither faults, nor SIGPIPE, which are this process's own.
bool is_of_others(int number) {
  switch (number) {
  case SIGHUP:
  case SIGINT:
  case SIGQUIT:
  case SIGTERM:
  case SIGUSR1:
  case SIGUSR2:
  case SIGALRM:
  case SIGVTALRM:
  case SIGPROF:
  case SIGIO:
  case SIGPWR:
  case SIGSTKFLT:
    return true;
  default:
    return number >= SIGRTMIN && number <= SIGRTMAX;
  }
}

void on_signal(int number, siginfo_t* details, void*) {
  if (sent_by_child(*details)) return;
  std::signal(number, SIG_DFL);
  raise(number); // when this handler returns
}

} // namespace

bool sent_by_child(const siginfo_t& details) {
  const bool sent = details.si_code == SI_USER || details.si_code == SI_TKILL || details.si_code == SI_QUEUE;
  siginfo_t state = {};
  return g_ignores != 0 && sent && details.si_pid > 0 &&
         std::find(g_others.begin(), g_others.end(), details.si_pid) == g_others.end() &&
         waitid(P_PID, static_cast<id_t>(details.si_pid), &state, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

void ignore_signals_of_children(const std::vector<pid_t>& others) {
  g_others = others;
  g_ignores = 1;
  for (int number = 1; number <= SIGRTMAX; ++number) {
    struct sigaction action = {};
    if (!is_of_others(number) || sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
      continue;
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(number, &action, nullptr);
  }
}

} // namespace reex
