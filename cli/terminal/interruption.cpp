#include "cli/terminal/interruption.h"

#include <unistd.h>

#include <csignal>
#include <cstring>
#include <ctime>

#include "cli/terminal/exit_status.h"
#include "reex/process/stray_signals.h"

namespace reex {
namespace {

volatile std::sig_atomic_t g_requested = 0;
volatile std::time_t g_when = 0;
// What the handler may read: it is changed while there is no handler that does.
std::vector<LastWords> g_words;

// timeout(1) and some test runners signal the process and then its group. So a signal that comes right after
// the first one does not count as a second request.
constexpr std::time_t k_impatience_seconds = 2;
constexpr const char* k_at_once = "reex: ended at once, by the second signal: no report is written\n";

[[noreturn]] void end() { _exit(static_cast<int>(ExitStatus::interrupted)); }

void write_words(int file, const char* text, std::size_t size) {
  [[maybe_unused]] const ssize_t written = write(file, text, size);
}

extern "C" void on_signal(int, siginfo_t* details, void*) {
  if (sent_by_child(*details)) return;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (g_requested == 0)
    g_when = now.tv_sec;
  else if (now.tv_sec - g_when >= k_impatience_seconds) {
    write_words(STDERR_FILENO, k_at_once, std::strlen(k_at_once));
    end();
  }
  g_requested = 1;
}

[[noreturn]] void say_and_end() {
  for (const LastWords& words : g_words) write_words(words.file, words.text.data(), words.text.size());
  end();
}

extern "C" void on_early_signal(int, siginfo_t* details, void*) {
  if (!sent_by_child(*details)) say_and_end();
}

void handle(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

} // namespace

void end_when_interrupted(std::vector<LastWords> words) {
  watch_for_interruption();
  g_words = std::move(words);
  if (interruption_requested()) say_and_end();
  handle(on_early_signal);
}

std::string last_line(const std::string& said) {
  return (isatty(STDERR_FILENO) != 0 ? "\nreex: " : "reex: ") + said + '\n';
}

void watch_for_interruption() { handle(on_signal); }

bool interruption_requested() { return g_requested != 0; }

} // namespace reex
