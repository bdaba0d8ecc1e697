#include "cli/native/native_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

constexpr std::size_t k_tail_bytes = 8192;
constexpr int k_tail_lines = 40;

// A file without a name: what a command prints may be more than the memory holds.
int open_output() {
  std::error_code error;
  const std::string folder = std::filesystem::temp_directory_path(error).string();
  const int file = open(error ? "/tmp" : folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  return file >= 0 ? file : memfd_create("reex-output", MFD_CLOEXEC);
}

// In the child. It joins the group of the run, takes the place that the run has, and dies with reex.
void become(pid_t parent, pid_t group, const Perturbation& how) {
  setpgid(0, group);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : how.cpus) CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

[[noreturn]] void compute(unsigned burst_us) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::microseconds burst(burst_us);
  while (true) {
    for (const auto until = Clock::now() + burst; burst_us == 0 || Clock::now() < until;) {
    }
    usleep(burst_us);
  }
}

// Says through the pipe why the command does not start.
[[noreturn]] void execute(char* const* words, int output, int report) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(output, 2);
  std::signal(SIGPIPE, SIG_DFL);
  execvp(words[0], words);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

} // namespace

NativeProcess::NativeProcess(const std::vector<std::string>& command, const Perturbation& how)
    : m_started(std::chrono::steady_clock::now()), m_output(open_output()) {
  int report[2] = {-1, -1};
  if (m_output < 0 || pipe2(report, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "no room for the output of a run");
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = getpid();
  m_command = fork();
  if (m_command == 0) {
    become(parent, 0, how);
    if (how.niceness != 0) setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + how.niceness);
    execute(words.data(), m_output, report[1]);
  }
  const int fork_error = errno;
  close(report[1]);
  if (m_command > 0) setpgid(m_command, m_command); // whoever of the two comes first
  int error = 0;
  const bool refused = m_command > 0 && read(report[0], &error, sizeof error) == sizeof error;
  close(report[0]);
  if (m_command < 0) {
    close(m_output);
    throw std::system_error(fork_error, std::generic_category(), "a run cannot be started");
  }
  if (refused) {
    waitpid(m_command, nullptr, 0);
    close(m_output);
    throw UsageError(
        fmt::format("{} cannot be executed ({}): give a command", command.front(), std::strerror(error)));
  }
  m_descriptor = static_cast<int>(syscall(SYS_pidfd_open, m_command, 0));
  start_load(how);
}

NativeProcess::~NativeProcess() {
  kill(-m_command, SIGKILL);
  for (const pid_t one : m_load) kill(one, SIGKILL); // one that has not joined the group yet
  if (!m_status) waitpid(m_command, nullptr, 0);
  for (const pid_t one : m_load) waitpid(one, nullptr, 0);
  if (m_descriptor >= 0) close(m_descriptor);
  close(m_output);
}

void NativeProcess::start_load(const Perturbation& how) {
  const pid_t parent = getpid();
  for (unsigned i = 0; i < how.load; ++i) {
    const pid_t one = fork();
    if (one == 0) {
      std::signal(SIGINT, SIG_IGN);
      become(parent, m_command, how);
      compute(how.burst_us);
    }
    if (one > 0) m_load.push_back(one);
  }
}

std::optional<int> NativeProcess::ended() {
  int status = 0;
  rusage usage = {};
  if (!m_status && wait4(m_command, &status, WNOHANG, &usage) == m_command) {
    m_status = status;
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      m_processor_seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  return m_status;
}

std::string NativeProcess::tail() const {
  const off_t size = lseek(m_output, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(k_tail_bytes));
  std::string text(static_cast<std::size_t>(size - from), '\0');
  const ssize_t got = pread(m_output, text.data(), text.size(), from);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  if (from > 0) text.erase(0, text.find('\n') + 1); // npos + 1 is 0: one long line
  while (text.ends_with('\n')) text.pop_back();
  std::size_t start = text.size();
  for (int lines = 0; lines < k_tail_lines && start != std::string::npos && start > 0; ++lines)
    start = text.rfind('\n', start - 1);
  return start == std::string::npos || start == 0 ? text : text.substr(start + 1);
}

} // namespace reex
