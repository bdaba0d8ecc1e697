#include "cli/terminal/waiting.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace reex {
namespace {

bool at_terminal() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (kind == nullptr || std::strcmp(kind, "dumb") != 0);
}

void write_text(const std::string& text) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

} // namespace

// Signals are for the main thread.
Waiting::Waiting(std::string what, bool quiet) {
  if (quiet || !at_terminal()) return;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  m_thread = std::thread([this, what = std::move(what)] { show(what); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Waiting::~Waiting() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_is_over = true;
  }
  m_over.notify_one();
  m_thread.join();
}

void Waiting::show(const std::string& what) {
  std::unique_lock lock(m_mutex);
  bool shown = false;
  for (unsigned seconds = 1; !m_over.wait_for(lock, std::chrono::seconds(1), [this] { return m_is_over; });
       ++seconds) {
    write_text(fmt::format("\rreex: {}: {} s", what, seconds));
    shown = true;
  }
  if (shown) write_text("\r\033[K");
}

} // namespace reex
