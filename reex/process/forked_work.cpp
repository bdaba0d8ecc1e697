#include "reex/process/forked_work.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace reex {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

bool write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::string contents_of(int file) {
  struct stat status = {};
  if (fstat(file, &status) != 0) fail("fstat");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t have = 0; have < bytes.size();) {
    const ssize_t got = pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("pread");
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

// In the new process. A crash there leaves no core.
[[noreturn]] void work_and_end(const std::function<std::string()>& work, int file, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, SIG_DFL);
  try {
    _exit(write_all(file, work()) ? 0 : 1);
  } catch (const std::exception&) { // the caller tells that there is no result
  }
  _exit(1);
}

std::string end_of(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ')';
  return status == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

} // namespace

ForkedWork::ForkedWork(const std::function<std::string()>& work)
    : m_file(memfd_create("reex: result", MFD_CLOEXEC)) {
  if (m_file < 0) fail("memfd_create");
  const pid_t parent = getpid();
  m_process = fork();
  if (m_process == 0) work_and_end(work, m_file, parent);
  if (m_process > 0) return;
  const int error = errno;
  close(m_file);
  errno = error;
  fail("fork");
}

ForkedWork::~ForkedWork() {
  if (!m_ended) {
    kill(m_process, SIGKILL);
    while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(m_file);
}

// If SIGCHLD is ignored, the kernel does not tell how it ended.
void ForkedWork::take_end(int options) {
  const pid_t ended = waitpid(m_process, &m_status, options);
  m_ended = ended == m_process || (ended < 0 && errno == ECHILD);
}

bool ForkedWork::is_done() {
  if (!m_ended) take_end(WNOHANG);
  return m_ended;
}

bool ForkedWork::wait_until(std::chrono::steady_clock::time_point time) {
  constexpr std::chrono::milliseconds k_pause{2};
  while (!is_done() && std::chrono::steady_clock::now() < time) std::this_thread::sleep_for(k_pause);
  return m_ended;
}

ForkedWork::Result ForkedWork::result() {
  while (!m_ended) take_end(0);
  Result result{"", end_of(m_status)};
  if (result.problem.empty()) result.bytes = contents_of(m_file);
  return result;
}

} // namespace reex
