#include "cli/native/until_fail.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <list>

#include "cli/native/native_process.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr std::size_t k_kept_failures = 10;
constexpr Milliseconds k_slice{200};            // between two looks at the time
constexpr Milliseconds k_without_descriptor{5}; // where the kernel cannot tell of an end

Milliseconds since(Clock::time_point start) {
  return std::chrono::duration_cast<Milliseconds>(Clock::now() - start);
}

std::string text_of(Milliseconds time) {
  return fmt::format("{:.3g} s", static_cast<double>(time.count()) / 1000);
}

// "" if it passed.
std::string failure_of(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("exit status {}", WEXITSTATUS(status));
}

struct Run {
  std::uint64_t number;
  Perturbation how;
  NativeProcess process;
  Run(std::uint64_t n, const Perturbation& perturbation, const std::vector<std::string>& command)
      : number(n), how(perturbation), process(command, perturbation) {}
};

class UntilFail {
public:
  UntilFail(const UntilFailOptions& options, const UntilFailProgress& progress)
      : m_options(options), m_progress(progress), m_cpus(usable_cpus()), m_start(Clock::now()) {}

  UntilFailResult execute() {
    while (!is_over()) {
      start_runs();
      if (m_runs.empty()) break;
      wait();
      take_ends();
      m_result.lasted = since(m_start);
      m_progress(m_result, nullptr);
    }
    m_result.cut_short = m_runs.size();
    m_runs.clear();
    m_result.lasted = since(m_start);
    return m_result;
  }

private:
  bool is_over() {
    m_result.interrupted = m_options.interrupted && m_options.interrupted();
    m_result.out_of_time = m_options.budget && since(m_start) >= *m_options.budget;
    const bool enough = m_options.keep_going != 0 && m_result.failed >= m_options.keep_going;
    return m_result.interrupted || m_result.out_of_time || enough;
  }

  void start_runs() {
    while (m_runs.size() < m_options.jobs && (!m_options.runs || m_next <= *m_options.runs)) {
      m_runs.emplace_back(m_next, perturbation(m_options.seed, m_next, m_cpus), m_options.command);
      ++m_next;
    }
  }

  // Until a run ends or has run for too long, all is over by the time, or a while has passed.
  void wait() {
    Milliseconds most = k_slice;
    if (m_options.budget) most = std::min(most, *m_options.budget - since(m_start));
    std::vector<pollfd> ends;
    for (Run& run : m_runs) {
      most = std::min(most, m_options.timeout - since(run.process.started()));
      if (run.process.descriptor() < 0) most = std::min(most, k_without_descriptor);
      ends.push_back({run.process.descriptor(), POLLIN, 0});
    }
    poll(ends.data(), ends.size(), static_cast<int>(std::max<Milliseconds>(most, Milliseconds(0)).count()));
  }

  void take_ends() {
    for (auto run = m_runs.begin(); run != m_runs.end();) {
      const std::optional<int> status = run->process.ended();
      const bool hangs = !status && since(run->process.started()) >= m_options.timeout;
      if (!status && !hangs) {
        ++run;
        continue;
      }
      take(*run, hangs ? "still running after " + text_of(m_options.timeout) : failure_of(*status));
      run = m_runs.erase(run);
    }
  }

  void take(const Run& run, const std::string& how) {
    ++m_result.runs;
    if (how.empty()) return;
    ++m_result.failed;
    if (m_result.failures.size() >= k_kept_failures) return;
    m_result.failures.push_back({run.number, how, run.process.tail(), run.how, since(run.process.started())});
    m_progress(m_result, &m_result.failures.back());
  }

  const UntilFailOptions& m_options;
  const UntilFailProgress& m_progress;
  std::vector<int> m_cpus;
  Clock::time_point m_start;
  std::list<Run> m_runs; // under way
  std::uint64_t m_next = 1;
  UntilFailResult m_result;
};

} // namespace

UntilFailResult run_until_fail(const UntilFailOptions& options, const UntilFailProgress& progress) {
  return UntilFail(options, progress).execute();
}

} // namespace reex
