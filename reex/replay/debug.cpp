#include "reex/replay/debug.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reex/replay/trials.h"

namespace reex {
namespace {

// Ignores a signal as long as it lives: a Ctrl-C at the terminal is for gdb.
class IgnoredSignal {
public:
  explicit IgnoredSignal(int signal) : m_signal(signal), m_before(std::signal(signal, SIG_IGN)) {}
  ~IgnoredSignal() { std::signal(m_signal, m_before); }
  IgnoredSignal(const IgnoredSignal&) = delete;
  IgnoredSignal& operator=(const IgnoredSignal&) = delete;

private:
  int m_signal;
  void (*m_before)(int);
};

// Runs a command to its end. Returns "", or why it could not be started.
std::string run(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const IgnoredSignal interrupt(SIGINT);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, words[0], nullptr, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return std::string(words[0]) + " cannot be started: " + std::strerror(error);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return std::string(words[0]) + " cannot be started";
  return "";
}

} // namespace

std::string debug(const ScheduleFile& file, const RuntimeFiles& runtime,
                  const std::vector<std::string>& arguments) {
  const std::string script = (std::filesystem::path(runtime.library).parent_path() / "reex_gdb.py").string();
  std::string error;
  const auto attach = [&](pid_t worker) {
    std::vector<std::string> command{"gdb", "-q", "-p", std::to_string(worker), "-x", script};
    command.insert(command.end(), arguments.begin(), arguments.end());
    error = run(command);
  };
  bool attached = false;
  const std::string not_run = run_trials({.file = file,
                                          .runtime = runtime,
                                          .frame_bits = {},
                                          .working_directory = existing_directory(file),
                                          .debugger =
                                              [&](pid_t worker) {
                                                attached = true;
                                                attach(worker);
                                              }},
                                         {}, [](const Trial&) { return std::optional<Turns>(); });
  // After gdb the test process is killed, so the text of run_trials() means nothing then.
  return attached ? error : not_run;
}

} // namespace reex
