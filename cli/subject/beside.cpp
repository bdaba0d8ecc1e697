#include "cli/subject/beside.h"

#include <cerrno>
#include <csignal>
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

bool write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

std::string contents_of(int file) {
  struct stat status = {};
  if (fstat(file, &status) != 0) return "";
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t have = 0; have < bytes.size();) {
    const ssize_t got = pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

} // namespace

Beside::Beside(const std::function<std::string()>& make) {
  m_result = memfd_create("reex: what a process makes beside", MFD_CLOEXEC);
  if (m_result < 0) fail("memfd_create");
  const pid_t parent = getpid();
  m_process = fork();
  if (m_process < 0) {
    close(m_result);
    fail("fork");
  }
  if (m_process != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) run(make);
  _exit(1);
}

Beside::~Beside() {
  if (!m_ended) {
    kill(m_process, SIGKILL);
    while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(m_result);
}

// In the new process.
void Beside::run(const std::function<std::string()>& make) const {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  try {
    if (write_all(m_result, make())) _exit(0);
  } catch (const std::exception&) { // the parent does without
  }
}

bool Beside::is_done() {
  if (m_ended) return true;
  const pid_t ended = waitpid(m_process, &m_status, WNOHANG);
  m_ended = ended == m_process || (ended < 0 && errno == ECHILD);
  return m_ended;
}

bool Beside::wait_until(std::chrono::steady_clock::time_point time) {
  constexpr std::chrono::milliseconds k_pause{2};
  while (!is_done() && std::chrono::steady_clock::now() < time) std::this_thread::sleep_for(k_pause);
  return m_ended;
}

std::string Beside::text() {
  pid_t ended = -1;
  while (!m_ended && (ended = waitpid(m_process, &m_status, 0)) < 0 && errno == EINTR) {
  }
  m_ended = true;
  return WIFEXITED(m_status) && WEXITSTATUS(m_status) == 0 ? contents_of(m_result) : "";
}

int Beside::ended_by_signal() const { return WIFSIGNALED(m_status) ? WTERMSIG(m_status) : 0; }

} // namespace reex
