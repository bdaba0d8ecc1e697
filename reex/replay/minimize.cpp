#include "reex/replay/minimize.h"
#include "reex/explorer/explore.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "reex/process/native_run.h"
#include "reex/replay/reduction.h"
#include "reex/replay/trials.h"
#include "reex/run/finding_kinds.h"
#include "reex/schedules/schedule_writer.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;

// A candidate may loop for ever without an operation, as over a container that a race has damaged. A short
// effort does not wait for it for long.
std::chrono::milliseconds hang_after(std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds k_longest{10000};
  return limit.count() == 0 ? k_longest : std::min(limit, k_longest);
}

class Minimization {
public:
  Minimization(const ScheduleFile& file, const MinimizeOptions& options) : m_file(file), m_options(options) {}

  MinimizeResult run() {
    m_result.file = m_file;
    std::string error = execute(m_file, [this](const Trial& trial) { return next(trial); });
    // Which threads a race was seen between stays as it was in the first execution of a process.
    if (!m_result.error && error.empty() && row_of_failure(m_file.failure_kind) != nullptr) {
      const ScheduleFile smallest = m_result.file;
      error = execute(smallest, [this](const Trial& trial) {
        end(trial);
        return std::nullopt;
      });
    }
    if (!m_result.error && !error.empty())
      m_result.error = start_error({.binary = m_file.binary,
                                    .arguments = m_file.arguments,
                                    .runtime = {},
                                    .working_directory = existing_directory(m_file)},
                                   error);
    return std::move(m_result);
  }

private:
  std::string execute(const ScheduleFile& file,
                      const std::function<std::optional<Turns>(const Trial&)>& next) {
    return run_trials({.file = file,
                       .runtime = m_options.runtime,
                       .frame_bits = m_options.frame_bits,
                       .working_directory = existing_directory(m_file),
                       .hang_after = hang_after(m_options.time)},
                      {}, next);
  }

  // The schedule to execute after `trial`. First come the recorded choices, then the candidates, and last the
  // smallest schedule once more, for the report.
  std::optional<Turns> next(const Trial& trial) {
    if (!m_reduction) return begin(trial);
    if (m_last) {
      end(trial);
      return {};
    }
    ++m_result.reduced.executions;
    const bool same = trial.failure_key() == m_key && trial.preemptions() <= m_preemptions;
    if (same && trial.turns().size() < m_reduction->turns().size()) {
      m_preemptions = trial.preemptions();
      m_reduction->accept(trial.turns());
    } else {
      m_reduction->reject();
    }
    return next_candidate();
  }

  std::optional<Turns> begin(const Trial& trial) {
    m_key = trial.failure_key();
    if (m_key.empty() || m_key != m_file.failure_key) {
      m_result.error = {ErrorKind::diverged, m_key.empty()
                                                 ? "the recorded schedule does not fail any more"
                                                 : "the recorded schedule fails in another way now"};
      return {};
    }
    m_preemptions = trial.preemptions();
    m_reduction.emplace(trial.turns());
    m_result.reduced.switches_before = static_cast<unsigned>(trial.turns().size());
    m_result.reduced.preemptions_before = m_preemptions;
    return next_candidate();
  }

  std::optional<Turns> next_candidate() {
    if (!out_of_limits())
      if (std::optional<Turns> candidate = m_reduction->candidate(); candidate) return candidate;
    m_result.reduced.complete = !m_reduction->candidate();
    m_last = true;
    return m_reduction->turns();
  }

  void end(const Trial& trial) {
    m_result.failure = trial.failure();
    if (m_result.failure.key != m_key) {
      m_result.error = {ErrorKind::uncontrolled,
                        "the test is not deterministic: the same choices did not fail again"};
      return;
    }
    m_result.reduced.switches = static_cast<unsigned>(m_result.failure.how.decisions.size());
    m_result.file.message = m_result.failure.message;
    m_result.file.exit = trial.exit();
    set_schedule(m_result.file, m_result.failure.how, m_result.failure.where, trial.standard_output());
    m_result.file.reduced =
        m_result.reduced.complete ? ScheduleFile::Reduction::complete : ScheduleFile::Reduction::partly;
  }

  bool out_of_limits() const {
    return (m_options.executions != 0 && m_result.reduced.executions >= m_options.executions) ||
           (m_options.time.count() != 0 && Clock::now() - m_start > m_options.time);
  }

  const ScheduleFile& m_file;
  const MinimizeOptions& m_options;
  Clock::time_point m_start = Clock::now();
  MinimizeResult m_result;
  std::string m_key;
  unsigned m_preemptions = 0;
  std::optional<TurnReduction> m_reduction;
  bool m_last = false;
};

// Ends an exploration as soon as it has found the failure with the given key.
class Watch : public Observer {
public:
  explicit Watch(std::string key) : m_key(std::move(key)) {}
  void failure(const Failure& failure) override {
    if (failure.key == m_key) m_found = failure.replay;
  }
  bool interrupted() override { return !m_found.empty(); }
  const std::string& found() const { return m_found; } // the schedule file; "" if there is none

private:
  std::string m_key;
  std::string m_found;
};

class TemporaryFolder {
public:
  TemporaryFolder() : m_path((std::filesystem::temp_directory_path() / "reex-minimize-XXXXXX").string()) {
    if (mkdtemp(m_path.data()) == nullptr) m_path.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return m_path; }

private:
  std::string m_path;
};

struct FewerPreemptions {
  std::optional<ScheduleFile> file;
  std::uint64_t executions = 0; // that the search took
};

// Explores the test for the same failure with fewer preemptions than `file` has.
FewerPreemptions search_for_fewer(const ScheduleFile& file, const MinimizeOptions& options) {
  const TemporaryFolder folder;
  if (file.preemptions == 0 || folder.path().empty()) return {};
  if (row_of_failure(file.failure_kind) != nullptr) return {}; // an exploration does not stop at a finding
  ExploreOptions explore_options;
  explore_options.binary = file.binary;
  explore_options.arguments = file.arguments;
  explore_options.test_name = file.test_name;
  explore_options.framework = file.framework;
  explore_options.bound = file.preemptions - 1;
  explore_options.max_schedules = options.search;
  explore_options.max_steps = file.max_steps;
  explore_options.slice = file.slice;
  explore_options.patience = file.patience;
  explore_options.keep_going = 0;
  explore_options.accesses = file.accesses;
  explore_options.timeouts = file.timeouts;
  explore_options.sleeps_any = file.sleeps_any;
  explore_options.spurious = file.spurious;
  explore_options.reuse = file.reuse;
  explore_options.code_is_entered = file.code_is_entered;
  explore_options.runtime = options.runtime;
  explore_options.failures_directory = folder.path();
  explore_options.hang_after = hang_after(options.search_time);
  explore_options.heuristic = options.heuristic;
  explore_options.frame_bits = options.frame_bits;
  if (options.search_time.count() != 0) explore_options.deadline = Clock::now() + options.search_time;
  Watch watch(file.failure_key);
  const TestRun run = explore(explore_options, watch);
  FewerPreemptions fewer{.file = {}, .executions = run.schedules + run.pruned};
  if (!watch.found().empty()) fewer.file = read_schedule_file(watch.found());
  return fewer;
}

// What is left of a limit; 0 is no limit.
template <class T>
T rest_of(T limit, T used) {
  if (limit == T{}) return limit;
  return limit > used ? limit - used : T{1};
}

} // namespace

MinimizeResult minimize(const ScheduleFile& file, const MinimizeOptions& options) {
  MinimizeOptions left = options;
  const auto reduce = [&left](const ScheduleFile& schedule) {
    const auto start = Clock::now();
    MinimizeResult result = Minimization(schedule, left).run();
    left.executions = rest_of(left.executions, result.reduced.executions);
    left.time = rest_of(left.time, std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - start));
    return result;
  };
  MinimizeResult result = reduce(file);
  if (result.error) return result;
  // With an order by the change, one that has fewer preemptions yet may come later.
  while (left.search != 0 && result.file.preemptions != 0) {
    const auto start = Clock::now();
    FewerPreemptions fewer = search_for_fewer(result.file, left);
    result.reduced.executions += static_cast<unsigned>(fewer.executions);
    if (!fewer.file) break;
    left.search -= std::min(left.search, fewer.executions);
    left.search_time =
        rest_of(left.search_time, std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - start));
    fewer.file->working_directory = file.working_directory;
    fewer.file->arguments = file.arguments;
    fewer.file->changed = file.changed;
    MinimizeResult again = reduce(*fewer.file);
    if (again.error || (options.accepts && !options.accepts(again))) break;
    again.reduced.switches_before = result.reduced.switches_before;
    again.reduced.preemptions_before = result.reduced.preemptions_before;
    again.reduced.executions += result.reduced.executions;
    result = std::move(again);
  }
  return result;
}

} // namespace reex
