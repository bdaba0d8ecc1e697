#include "cli/run/interruption.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

#include "cli/terminal/exit_status.h"

namespace reex {
namespace {

volatile std::sig_atomic_t g_requested = 0;
volatile std::time_t g_when = 0;

// timeout(1) and some test runners signal the process and then its group. So a signal that comes right after
// the first one does not count as a second request.
constexpr std::time_t k_impatience_seconds = 2;

extern "C" void on_signal(int) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (g_requested == 0)
    g_when = now.tv_sec;
  else if (now.tv_sec - g_when >= k_impatience_seconds)
    _exit(static_cast<int>(ExitStatus::interrupted));
  g_requested = 1;
}

} // namespace

void watch_for_interruption() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interruption_requested() { return g_requested != 0; }

} // namespace reex
