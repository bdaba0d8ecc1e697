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

#include "reex/process/environment.h"
#include "reex/process/machine.h"
#include "reex/process/orphans.h"
#include "reex/shared/protocol.h"

namespace reex {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

Descriptor capture_file(const char* name) {
  Descriptor file(memfd_create(name, MFD_CLOEXEC));
  if (!file) fail("cannot capture the test's output");
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

std::vector<std::string> environment_for(const TestCommand& command, std::string preload, int files) {
  std::vector<std::string> environment;
  std::string library_path = command.runtime.libtsan;
  for (const std::string& text : environment_of_test()) {
    if (is_setting(text, "LD_PRELOAD"))
      preload += ":" + text.substr(std::strlen("LD_PRELOAD="));
    else if (is_setting(text, "LD_LIBRARY_PATH") && !library_path.empty())
      library_path += ":" + text.substr(std::strlen("LD_LIBRARY_PATH="));
    else if (is_setting(text, "GOMP_SPINCOUNT") || is_setting(text, "OMP_WAIT_POLICY"))
      continue;
    else if (!is_setting(text, k_control_variable) && !is_setting(text, k_log_variable) &&
             !is_setting(text, k_shared_variable) && !is_setting(text, k_table_variable) &&
             !is_setting(text, k_files_variable))
      environment.push_back(text);
  }
  environment.push_back("LD_PRELOAD=" + preload);
  if (!library_path.empty()) environment.push_back("LD_LIBRARY_PATH=" + library_path);
  // With lazy binding, the loader would look up functions again after every restore.
  environment.push_back("LD_BIND_NOW=1");
  // Otherwise OpenMP's threads spin before they wait, and reex does not see it.
  environment.push_back("GOMP_SPINCOUNT=0");
  environment.push_back(std::string(k_control_variable) + "=" + of_same_length(command.control_descriptor));
  environment.push_back(std::string(k_table_variable) + "=" + of_same_length(command.table_descriptor));
  environment.push_back(std::string(k_files_variable) + "=" + of_same_length(files));
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

// Makes a file descriptor stay open over exec. It has no other flag.
bool keep_open(int descriptor) { return descriptor < 0 || fcntl(descriptor, F_SETFD, 0) == 0; }

bool replace(int descriptor, int by) {
  int got = -1;
  while ((got = dup2(by, descriptor)) < 0 && (errno == EINTR || errno == EBUSY)) {
  }
  return got == descriptor;
}

std::string contents(int file) {
  std::string text;
  char buffer[4096];
  for (off_t at = 0;;) {
    const ssize_t got = pread(file, buffer, sizeof buffer, at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    at += got;
  }
}

int group_of(const TestCommand& command) {
  if (!command.has_others) return -1;
  return command.shared_descriptor >= 0 ? command.shared_descriptor : command.control_descriptor;
}

} // namespace

TestProcess::TestProcess(const TestCommand& command)
    : m_preload(command.runtime.library), m_files(group_of(command)), m_output(capture_file("stdout")),
      m_error(capture_file("stderr")) {
  std::vector<std::string> argument_texts{command.binary};
  argument_texts.insert(argument_texts.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment_texts = environment_for(command, m_preload.path(), m_files.socket());
  const std::vector<char*> arguments = pointers(argument_texts);
  const std::vector<char*> environment = pointers(environment_texts);
  check_address_space();
  adopt_orphans();
  const int error = start(command, arguments.data(), environment.data());
  if (m_pid < 0) throw std::system_error(error, std::generic_category(), "cannot fork");
  add_own_child(m_pid);
  m_files.begin();
  if (error != 0) {
    kill();
    throw std::system_error(error, std::generic_category(), "cannot start " + command.binary);
  }
}

// Returns when the child has become the test, or could not: then the errno. Until then the child runs in this
// process's memory, which need not be copied for it; it changes nothing there but `error`, and runs no
// handler of signals.
int TestProcess::start(const TestCommand& command, char* const* arguments, char* const* environment) {
  volatile int error = 0;
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = vfork();
  if (child == 0) execute(command, arguments, environment, parent, before, error);
  if (child < 0) error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  m_pid = child;
  return error;
}

// In the child.
void TestProcess::execute(const TestCommand& command, char* const* arguments, char* const* environment,
                          pid_t parent, const sigset_t& signals, volatile int& error) const {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127); // killed already, and nobody would end this process
  const int unrandomized = personality(0xffffffff);
  if (unrandomized != -1) personality(static_cast<unsigned long>(unrandomized) | ADDR_NO_RANDOMIZE);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) {
    signal(number, SIG_IGN); // what the terminal has sent while this was in reex's group is not for the test
    signal(number, SIG_DFL);
  }
  const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready = empty >= 0 && replace(0, empty) && replace(1, *m_output) && replace(2, *m_error) &&
                     keep_open(command.control_descriptor) && keep_open(command.shared_descriptor) &&
                     keep_open(command.table_descriptor) && keep_open(command.log_descriptor) &&
                     keep_open(m_files.socket()) &&
                     (command.working_directory.empty() || chdir(command.working_directory.c_str()) == 0);
  if (ready) {
    sigprocmask(SIG_SETMASK, &signals, nullptr);
    execve(command.binary.c_str(), arguments, environment);
  }
  error = errno;
  _exit(127);
}

TestProcess::~TestProcess() { kill(); }

// The process is not reaped here: its number, and that of its group, stay its own up to kill().
bool TestProcess::ended() {
  siginfo_t info = {};
  if (m_ended || waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != m_pid)
    return m_ended;
  m_wait_status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status & 0x7f;
  m_files.begin_end();
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
  remove_own_child(m_pid);
  m_files.end();
}

std::string TestProcess::file_problem() {
  kill();
  return m_files.problem();
}

std::string TestProcess::standard_output() const { return contents(*m_output); }
std::string TestProcess::standard_error() const { return contents(*m_error); }

} // namespace reex
