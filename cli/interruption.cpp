#include "cli/interruption.h"

#include <unistd.h>

#include <csignal>

#include "cli/exit_status.h"

namespace reex {
namespace {

volatile std::sig_atomic_t g_requested = 0;

extern "C" void on_signal(int) {
  if (g_requested != 0) _exit(static_cast<int>(ExitStatus::interrupted));
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
