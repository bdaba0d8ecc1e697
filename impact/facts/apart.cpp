#include "impact/facts/apart.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace reex::impact {
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
[[noreturn]] void work_and_end(const std::function<std::string()>& work, int result, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, SIG_DFL);
  try {
    _exit(write_all(result, work()) ? 0 : 1);
  } catch (const std::exception&) { // the caller tells that there is no result
  }
  _exit(1);
}

std::string end_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ')';
  return status == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
}

class MemoryFile {
public:
  MemoryFile() : m_file(memfd_create("reex: result", MFD_CLOEXEC)) {
    if (m_file < 0) fail("memfd_create");
  }
  ~MemoryFile() { close(m_file); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  int number() const { return m_file; }

private:
  int m_file;
};

} // namespace

ApartResult apart(const std::function<std::string()>& work) {
  const MemoryFile result;
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) fail("fork");
  if (process == 0) work_and_end(work, result.number(), parent);
  ApartResult ended;
  ended.problem = end_of(process);
  if (ended.problem.empty()) ended.bytes = contents_of(result.number());
  return ended;
}

} // namespace reex::impact
