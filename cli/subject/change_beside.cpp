#include "cli/subject/change_beside.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
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

bool write_all(int file, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool write_text(int file, const std::string& text) {
  const std::uint64_t size = text.size();
  return write_all(file, &size, sizeof size) && write_all(file, text.data(), text.size());
}

std::string contents_of(int file) {
  struct stat status = {};
  if (fstat(file, &status) != 0) return "";
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = pread(file, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "";
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

// Takes the next text from the bytes. False: there is none.
bool take_text(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  if (bytes.size() < size) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

} // namespace

ChangeBeside::ChangeBeside(ImpactRequest request) : m_request(std::move(request)) {
  m_result = memfd_create("reex: facts of the change", MFD_CLOEXEC);
  if (m_result < 0) fail("memfd_create");
  const pid_t parent = getpid();
  m_process = fork();
  if (m_process < 0) {
    close(m_result);
    fail("fork");
  }
  if (m_process != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) run(m_result);
  _exit(1);
}

ChangeBeside::~ChangeBeside() {
  if (!m_ended) {
    kill(m_process, SIGKILL);
    while (waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(m_result);
}

// In the new process.
void ChangeBeside::run(int result) const {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  try {
    HandedFacts facts;
    ImpactRequest request = m_request;
    request.parses = true;
    request.handed = &facts;
    collect_impact(request);
    for (const auto& [unit, bytes] : facts)
      if (!write_text(result, unit) || !write_text(result, bytes)) return;
    _exit(0);
  } catch (const std::exception&) { // the parent tells what is missing
  }
}

bool ChangeBeside::is_done() {
  if (m_ended) return true;
  const pid_t ended = waitpid(m_process, &m_status, WNOHANG);
  m_ended = ended == m_process || (ended < 0 && errno == ECHILD);
  return m_ended;
}

bool ChangeBeside::wait_until(std::chrono::steady_clock::time_point time) {
  constexpr std::chrono::milliseconds k_pause{2};
  while (!is_done() && std::chrono::steady_clock::now() < time) std::this_thread::sleep_for(k_pause);
  return m_ended;
}

HandedFacts ChangeBeside::handed() const {
  const std::string bytes = contents_of(m_result);
  std::string_view rest = bytes;
  HandedFacts facts;
  std::string unit;
  for (std::string text; take_text(rest, unit) && take_text(rest, text);) facts[unit] = std::move(text);
  return facts;
}

Impact ChangeBeside::impact() {
  HandedFacts facts = handed();
  ImpactRequest request = m_request;
  request.parses = false;
  request.handed = &facts;
  Impact impact = collect_impact(request);
  if (WIFSIGNALED(m_status))
    impact.notes.push_back(fmt::format("the analysis of the change ended with signal {} ({}): where it is "
                                       "missing, only the changed lines are known",
                                       WTERMSIG(m_status), strsignal(WTERMSIG(m_status))));
  else if (impact.units_left_out != 0)
    impact.notes.emplace_back("the analysis of the change ended early: where it is missing, only the changed "
                              "lines are known");
  return impact;
}

} // namespace reex
