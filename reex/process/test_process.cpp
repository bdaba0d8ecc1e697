#include "reex/process/test_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "reex/shared/protocol.h"

namespace reex {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

int capture_file(const char* name) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0) fail("cannot capture the test's output");
  return file;
}

bool is_setting(const std::string& entry, const char* name) {
  return entry.compare(0, std::strlen(name), name) == 0 && entry[std::strlen(name)] == '=';
}

// The environment lies above the stack: its length must not depend on which worker it is.
std::string of_same_length(int descriptor) {
  const std::string digits = std::to_string(descriptor);
  return digits.size() < 6 ? std::string(6 - digits.size(), ' ') + digits : digits;
}

std::vector<std::string> environment_for(const TestCommand& command, std::string preload) {
  std::vector<std::string> environment;
  std::string library_path = command.runtime.libtsan;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (is_setting(text, "LD_PRELOAD"))
      preload += ":" + text.substr(std::strlen("LD_PRELOAD="));
    else if (is_setting(text, "LD_LIBRARY_PATH") && !library_path.empty())
      library_path += ":" + text.substr(std::strlen("LD_LIBRARY_PATH="));
    else if (is_setting(text, "GTEST_TOTAL_SHARDS") || is_setting(text, "GTEST_SHARD_INDEX") ||
             is_setting(text, "GTEST_SHARD_STATUS_FILE"))
      continue; // reex has already chosen the test
    else if (is_setting(text, "GOMP_SPINCOUNT") || is_setting(text, "OMP_WAIT_POLICY"))
      continue;
    else if (!is_setting(text, k_control_variable) && !is_setting(text, k_log_variable) &&
             !is_setting(text, k_shared_variable))
      environment.push_back(text);
  }
  environment.push_back("LD_PRELOAD=" + preload);
  if (!library_path.empty()) environment.push_back("LD_LIBRARY_PATH=" + library_path);
  // With lazy binding, the loader would look up functions again after every restore.
  environment.push_back("LD_BIND_NOW=1");
  // Otherwise OpenMP's threads spin before they wait, and reex does not see it.
  environment.push_back("GOMP_SPINCOUNT=0");
  environment.push_back(std::string(k_control_variable) + "=" + of_same_length(command.control_descriptor));
  if (command.has_others)
    environment.push_back(std::string(k_shared_variable) + "=" + of_same_length(command.shared_descriptor));
  if (command.log_descriptor >= 0)
    environment.push_back(std::string(k_log_variable) + "=" + std::to_string(command.log_descriptor));
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Makes a file descriptor stay open over exec.
void keep_open(int descriptor) {
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, fcntl(descriptor, F_GETFD) & ~FD_CLOEXEC);
}

std::string contents(int file) {
  std::string text;
  char buffer[4096];
  for (off_t at = 0;;) {
    const ssize_t got = pread(file, buffer, sizeof buffer, at);
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    at += got;
  }
}

} // namespace

TestProcess::TestProcess(const TestCommand& command)
    : m_preload(command.runtime.library), m_output(capture_file("stdout")), m_error(capture_file("stderr")) {
  std::vector<std::string> argument_texts{command.binary};
  argument_texts.insert(argument_texts.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment_texts = environment_for(command, m_preload.path());
  const std::vector<char*> arguments = pointers(argument_texts);
  const std::vector<char*> environment = pointers(environment_texts);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) fail("cannot create a pipe");

  const pid_t parent = getpid();
  m_pid = fork();
  if (m_pid < 0) fail("cannot fork");
  if (m_pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127); // killed already, and nobody would end this process
    const int unrandomized = personality(0xffffffff);
    if (unrandomized != -1) personality(static_cast<unsigned long>(unrandomized) | ADDR_NO_RANDOMIZE);
    const int empty = open("/dev/null", O_RDONLY);
    dup2(empty, 0);
    dup2(m_output, 1);
    dup2(m_error, 2);
    if (empty > 2) close(empty);
    keep_open(command.control_descriptor);
    keep_open(command.shared_descriptor);
    keep_open(command.log_descriptor);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (command.working_directory.empty() || chdir(command.working_directory.c_str()) == 0)
      execve(command.binary.c_str(), arguments.data(), environment.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(report[1], &error, sizeof error);
    _exit(127);
  }
  close(report[1]);
  int error = 0;
  const bool failed = read(report[0], &error, sizeof error) == sizeof error;
  close(report[0]);
  if (failed) {
    waitpid(m_pid, &m_wait_status, 0);
    m_ended = m_reaped = true;
    errno = error;
    fail(("cannot start " + command.binary).c_str());
  }
}

TestProcess::~TestProcess() {
  kill();
  if (m_output >= 0) close(m_output);
  if (m_error >= 0) close(m_error);
}

// The process is not reaped here: its number, and that of its group, stay its own up to kill().
bool TestProcess::ended() {
  siginfo_t info = {};
  if (m_ended || waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != m_pid)
    return m_ended;
  m_wait_status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status & 0x7f;
  return m_ended = true;
}

void TestProcess::kill() {
  if (m_pid <= 0 || m_reaped) return;
  ::kill(-m_pid, SIGKILL); // the process group, which includes the processes that the test has started
  ::kill(m_pid, SIGKILL);  // in case it has left its group
  int wait_status = 0;
  while (waitpid(m_pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  if (!m_ended) m_wait_status = wait_status;
  m_ended = m_reaped = true;
}

std::string TestProcess::standard_output() const { return contents(m_output); }
std::string TestProcess::standard_error() const { return contents(m_error); }

} // namespace reex
