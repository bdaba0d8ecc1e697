#include "reex/process/captured_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <thread>

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t k_stderr_limit = std::size_t{64} << 20;
constexpr std::size_t k_stdout_limit = std::size_t{64} << 20;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
  ~Pipe() {
    close_write();
    close_read();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_write() { close_end(write_end); }
  void close_read() { close_end(read_end); }
  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// Reads what is available. False at the end of the stream, and after an error, which `error` is set to.
bool drain(int descriptor, std::string& into, std::size_t limit, int& error) {
  std::array<char, 16384> buffer{};
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got < 0) error = errno;
  if (got <= 0) return false;
  if (into.size() < limit) into.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

bool has_ended(pid_t child) {
  siginfo_t info = {};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

// True if both streams ended before `until`, or the child did and has nothing more to say: a process that it
// has left behind may hold the streams open.
bool read_streams(pid_t child, Pipe& out, Pipe& err, CapturedProcess& process, Clock::time_point until) {
  constexpr std::int64_t k_slice = 50; // milliseconds
  while (out.read_end >= 0 || err.read_end >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    const bool ended = has_ended(child);
    std::array<pollfd, 2> waits{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
    const int ready =
        poll(waits.data(), waits.size(), ended ? 0 : static_cast<int>(std::min<std::int64_t>(left, k_slice)));
    if (ready < 0) {
      if (errno == EINTR) continue; // what it would have told is not known
      process.code = errno;
      return false;
    }
    if (ready == 0 && ended) return true;
    if (waits[0].revents != 0 && !drain(out.read_end, process.stdout_text, k_stdout_limit, process.code))
      out.close_read();
    if (waits[1].revents != 0 && !drain(err.read_end, process.stderr_text, k_stderr_limit, process.code))
      err.close_read();
  }
  return true;
}

int start(pid_t& child, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment, const std::string& folder, const Pipe& out,
          const Pipe& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  int error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  if (error == 0 && !folder.empty()) error = posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  if (error == 0) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  if (error == 0)
    error = posix_spawn(&child, arguments.front().c_str(), &actions, &attributes, pointers(arguments).data(),
                        pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// True if the child ended before `until`. Its streams have ended, so it will end soon.
bool reap(pid_t child, int& status, Clock::time_point until) {
  for (pid_t ended = 0; (ended = waitpid(child, &status, WNOHANG)) != child;) {
    if ((ended < 0 && errno != EINTR) || Clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

} // namespace

CapturedProcess run_captured(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& environment, std::chrono::milliseconds limit,
                             const std::string& folder) {
  CapturedProcess process;
  Pipe out;
  Pipe err;
  pid_t child = -1;
  if (out.read_end < 0 || err.read_end < 0) {
    process.code = errno;
    return process;
  }
  process.code = start(child, arguments, environment, folder, out, err);
  if (process.code != 0) return process;
  out.close_write();
  err.close_write();

  const Clock::time_point until = Clock::now() + limit;
  int status = 0;
  const bool ended = read_streams(child, out, err, process, until) && reap(child, status, until);
  if (!ended) {
    kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (process.code == 0) process.end = CapturedProcess::End::timed_out;
  } else if (process.code != 0) { // some of what it said is missing
    process.end = CapturedProcess::End::not_started;
  } else if (WIFSIGNALED(status)) {
    process.end = CapturedProcess::End::signalled;
    process.code = WTERMSIG(status);
  } else {
    process.end = CapturedProcess::End::exited;
    process.code = WEXITSTATUS(status);
  }
  return process;
}

bool shows_failure(const CapturedProcess& process) {
  switch (process.end) {
  case CapturedProcess::End::not_started:
    return process.code != EAGAIN && process.code != ENOMEM && process.code != EMFILE &&
           process.code != ENFILE;
  case CapturedProcess::End::timed_out:
    return false;
  case CapturedProcess::End::signalled:
    return true;
  case CapturedProcess::End::exited:
    break;
  }
  return process.code != 0;
}

} // namespace reex
