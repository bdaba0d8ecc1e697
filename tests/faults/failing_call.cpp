#include "tests/faults/failing_call.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/call_errors.h"

namespace reex::tool {
namespace {

constexpr int k_of_a_call = SIGTRAP | 0x80;
constexpr long k_options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                           PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

// Kills the process at the limit.
class Watchdog {
public:
  Watchdog(pid_t process, std::chrono::seconds limit)
      : m_thread([this, process, limit] {
          std::unique_lock lock(m_lock);
          if (m_over.wait_for(lock, limit, [this] { return m_done; })) return;
          m_bit = true;
          kill(process, SIGKILL);
        }) {}
  ~Watchdog() { has_bitten(); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  bool has_bitten() { // ends it
    {
      const std::lock_guard lock(m_lock);
      m_done = true;
    }
    m_over.notify_all();
    if (m_thread.joinable()) m_thread.join();
    return m_bit;
  }

private:
  std::mutex m_lock;
  std::condition_variable m_over;
  bool m_done = false;
  bool m_bit = false;
  std::thread m_thread;
};

class Tracer {
public:
  Tracer(pid_t process, unsigned which, TracedRun& run) : m_process(process), m_which(which), m_run(run) {}

  void trace() {
    int status = 0;
    waitpid(m_process, &status, 0);
    ptrace(PTRACE_SETOPTIONS, m_process, nullptr, k_options);
    m_known.insert(m_process);
    ptrace(PTRACE_SYSCALL, m_process, nullptr, nullptr);
    for (pid_t stopped = 0; (stopped = waitpid(-1, &status, __WALL)) > 0;) {
      if (WIFSTOPPED(status)) {
        go_on(stopped, status);
        continue;
      }
      m_known.erase(stopped);
      if (stopped != m_process) continue;
      m_run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      for (const pid_t other : m_known) kill(other, SIGKILL);
    }
  }

private:
  void go_on(pid_t process, int status) {
    const int event = status >> 16;
    int signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC && process != m_process) { // no longer reex
      m_known.erase(process);
      ptrace(PTRACE_DETACH, process, nullptr, nullptr);
      return;
    }
    if (signal == k_of_a_call) at_call(process);
    const bool is_new = m_known.insert(process).second; // a new process begins with SIGSTOP
    if (signal == k_of_a_call || event != 0 || (is_new && signal == SIGSTOP)) signal = 0;
    ptrace(PTRACE_SYSCALL, process, nullptr, static_cast<long>(signal));
  }

  void at_call(pid_t process) {
    user_regs_struct registers = {};
    __ptrace_syscall_info info = {};
    ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info);
    if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
      const auto failing = m_failing.find(process);
      if (failing == m_failing.end()) return;
      ptrace(PTRACE_GETREGS, process, nullptr, &registers);
      registers.rax = static_cast<unsigned long long>(-failing->second);
      ptrace(PTRACE_SETREGS, process, nullptr, &registers);
      m_failing.erase(failing);
      return;
    }
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !is_counted(process, info)) return;
    const auto call = static_cast<long>(info.entry.nr);
    const CallErrors* row = std::find_if(std::begin(k_call_errors), std::end(k_call_errors),
                                         [&](const CallErrors& one) { return one.call == call; });
    if (row == std::end(k_call_errors)) return;
    for (const int error : row->errors) {
      if (error == 0 || m_run.calls++ != m_which) continue;
      m_run.failed = std::string(row->name) + ": " + std::strerror(error);
      m_failing[process] = error;
      ptrace(PTRACE_GETREGS, process, nullptr, &registers);
      registers.orig_rax = static_cast<unsigned long long>(-1); // no call
      ptrace(PTRACE_SETREGS, process, nullptr, &registers);
    }
  }

  // main() begins by asking for its standard streams. What the loader does is not reex's.
  bool is_counted(pid_t process, const __ptrace_syscall_info& info) {
    if (m_counts || info.entry.nr != SYS_openat || info.entry.args[2] != O_RDWR) return m_counts;
    const long name = ptrace(PTRACE_PEEKDATA, process, reinterpret_cast<void*>(info.entry.args[1]), nullptr);
    m_counts = std::memcmp(&name, "/dev/nul", sizeof name) == 0;
    return m_counts;
  }

  pid_t m_process;
  unsigned m_which;
  TracedRun& m_run;
  bool m_counts = false;
  std::set<pid_t> m_known;
  std::map<pid_t, int> m_failing; // the error that the call under way gives
};

[[noreturn]] void execute(const std::vector<std::string>& command, const std::string& folder,
                          const std::string& output) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
  if (setpgid(0, 0) != 0 || chdir(folder.c_str()) != 0) _exit(126);
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(125);
  raise(SIGSTOP);
  execv(words[0], words.data());
  _exit(127);
}

} // namespace

bool may_trace() {
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

TracedRun run_with_failing_call(const std::vector<std::string>& command, const std::string& folder,
                                unsigned which, std::chrono::seconds limit) {
  TracedRun run;
  const std::string output = folder + "/output.txt";
  const pid_t process = fork();
  if (process == 0) execute(command, folder, output);
  Watchdog watchdog(process, limit);
  Tracer(process, which, run).trace();
  run.ended = !watchdog.has_bitten();
  std::ifstream file(output, std::ios::binary);
  run.output.assign(std::istreambuf_iterator<char>(file), {});
  return run;
}

} // namespace reex::tool
