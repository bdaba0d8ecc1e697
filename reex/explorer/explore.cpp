#include "reex/explorer/explore.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "heuristics/table.h"
#include "reex/explorer/difference.h"
#include "reex/explorer/schedule_file.h"
#include "reex/explorer/schedule_writer.h"
#include "reex/explorer/session.h"
#include "reex/explorer/system_calls.h"
#include "reex/explorer/uninstrumented.h"
#include "reex/explorer/verdict.h"
#include "reex/search/search.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;

// A library's own affair, right by the rules of its memory model and not of C++'s: libstdc++ 12 guards the
// pointer of an atomic<shared_ptr> by a bit that a load leaves with a relaxed operation.
bool is_of_the_library(const Finding& finding) {
  return std::any_of(finding.where.begin(), finding.where.end(), [](const ThreadPosition& side) {
    return !side.stack.empty() && side.stack.front().file.ends_with("/bits/shared_ptr_atomic.h");
  });
}

bool same_place(const Finding& a, const Finding& b) {
  if (a.key != b.key || a.where.size() != b.where.size()) return false;
  const auto lines = [](const Finding& finding) {
    std::multiset<std::pair<std::string, unsigned>> result;
    for (const ThreadPosition& side : finding.where)
      if (const Frame* frame = user_frame(side.stack); frame != nullptr)
        result.insert({frame->file, frame->line});
    return result;
  };
  return lines(a) == lines(b);
}

void configure(RunConfig& config, const ExploreOptions& options) {
  config.task = Task::explore;
  config.isolation = options.isolation == Isolation::fork ? IsolationMode::fork : IsolationMode::restore;
  config.accesses = visible_accesses(options.accesses);
  config.races = options.races != Races::off;
  config.timeouts = options.timeouts;
  config.spurious = options.spurious;
  config.collect_outcomes = options.collect_outcomes;
  config.max_schedules = options.max_schedules.value_or(0);
  config.max_steps = options.max_steps;
  config.memory_limit = options.memory_limit.value_or(0);
  config.keep_going = options.keep_going;
  config.search.strategy = options.strategy;
  config.search.reduction = options.reduction;
  config.search.bound = options.bound.value_or(k_no_bound);
  config.search.seed = options.seed;
  config.search.depth = options.depth;
  config.search.interesting = options.interesting;
  if (const auto heuristic = find_heuristic(options.heuristic); heuristic) {
    config.search.mode = heuristic->mode;
    config.search.mask = heuristic->mask;
  }
}

class Exploration {
public:
  Exploration(const ExploreOptions& options, Observer& observer) : m_options(options), m_observer(observer) {}

  TestRun run();

private:
  TestCommand command() const;
  void take_report(Session& session);
  void take_findings(Session& session);
  void take_failure(Session& session);
  std::vector<PromotedAccess> promoted(Session& session, std::uint32_t count) const;
  void take_outcomes(Session& session);
  void conclude(Session& session);
  std::string isolation_reason(Session& session) const;
  std::string stuck_text(Session& session) const;
  EndReason end_reason(const Session& session) const;
  Progress progress() const;
  CapturedOutput captured(const FailureSlot& slot) const;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - m_start).count(); }

  const ExploreOptions& m_options;
  Observer& m_observer;
  ControlMemory m_memory;
  TestRun m_run;
  Clock::time_point m_start = Clock::now();
  int m_log = -1;
  bool m_interrupted = false;
  std::vector<std::pair<std::uint32_t, std::size_t>>
      m_failure_slots; // known failure in the control block, index here
};

TestCommand Exploration::command() const {
  TestCommand command{.binary = m_run.binary,
                      .arguments = m_run.arguments,
                      .runtime = m_options.runtime,
                      .working_directory = "",
                      .control_descriptor = m_memory.descriptor(),
                      .log_descriptor = m_log};
  return command;
}

CapturedOutput Exploration::captured(const FailureSlot& slot) const {
  const char* text = m_memory->outcomes.text + slot.output_offset;
  return {std::string(text, slot.output_length), std::string(text + slot.output_length, slot.error_length)};
}

void Exploration::take_failure(Session& session) {
  const FailureSlot& slot = m_memory->failure;
  const Ending& ending = slot.ending;
  const CapturedOutput output = captured(slot);
  Failure failure;
  failure.how.trace = session.reader().steps(m_memory->trace);
  failure.how.decisions = decisions_of(m_memory->saved.list, m_memory->saved.count);
  failure.how.preemptions = m_memory->saved.preemptions;
  failure.where = session.reader().positions(m_memory->trace, ending);
  failure.memory = session.reader().memory(m_memory->trace);
  failure.kind = failure_kind(ending.end, ending.value, m_options.gtest, output.standard_output);
  failure.message = failure_message(failure.kind, ending, output, failure.where);
  failure.key = stable_key(failure.kind, failure.where, m_options.test_name);
  failure.schedule = slot.schedule;
  failure.stdout_text = output.standard_output;
  failure.stderr_text = output.standard_error;
  if (slot.replayed.end != ending.end || slot.replayed.value != ending.value)
    m_run.notes.push_back(
        "schedule " + std::to_string(slot.schedule) +
        " failed, but not when it was executed once more: the test depends on something that "
        "reex does not control; its report may be incomplete");
  const auto same = std::find_if(m_run.failures.begin(), m_run.failures.end(),
                                 [&](const Failure& known) { return known.key == failure.key; });
  m_failure_slots.push_back({slot.index, same == m_run.failures.end()
                                             ? m_run.failures.size()
                                             : static_cast<std::size_t>(same - m_run.failures.begin())});
  if (same != m_run.failures.end()) return;
  if (!m_options.failures_directory.empty()) {
    failure.replay = m_options.failures_directory + "/" + failure.key + ".reex";
    ScheduleEnd end{.failure_kind = failure.kind,
                    .failure_key = failure.key,
                    .message = failure.message,
                    .exit = {},
                    .standard_output = output.standard_output,
                    .promoted = promoted(session, m_memory->promoted.count)};
    if (ending.end == End::exited) end.exit = ending.value;
    save_schedule(failure.replay, m_options, m_run, failure.how, end);
  }
  m_run.failures.push_back(failure);
  m_observer.failure(m_run.failures.back());
}

void Exploration::take_findings(Session& session) {
  const Findings& findings = m_memory->findings;
  for (std::uint32_t i = findings.handed; i < findings.count; ++i) {
    const Finding finding = session.reader().finding(findings.record[i], m_options.test_name);
    if (is_of_the_library(finding)) continue;
    if (std::none_of(m_run.findings.begin(), m_run.findings.end(),
                     [&](const Finding& known) { return same_place(known, finding); }))
      m_run.findings.push_back(finding);
  }
}

void Exploration::take_report(Session& session) {
  take_findings(session);
  if (m_memory->failure.failed) take_failure(session);
}

// The first `count` promoted accesses, those of when the execution ran: its choice points depend on them.
std::vector<PromotedAccess> Exploration::promoted(Session& session, std::uint32_t count) const {
  std::vector<PromotedAccess> result;
  const Promoted& set = m_memory->promoted;
  for (std::uint32_t i = 0; i < count; ++i) {
    const CodePlace place = session.place_of(set.pc[i]);
    const std::vector<Frame> frames = session.reader().stack(&set.pc[i], 1, 1);
    result.push_back(
        {.module = place.module,
         .offset = place.offset,
         .location = frames.empty() ? "" : frames[0].file + ":" + std::to_string(frames[0].line)});
  }
  return result;
}

void Exploration::take_outcomes(Session& session) {
  const Outcomes& outcomes = m_memory->outcomes;
  constexpr std::size_t k_saved_outcomes = 256;
  for (std::uint32_t i = 0; i < outcomes.count; ++i) {
    const OutcomeRecord& record = outcomes.record[i];
    Outcome outcome;
    outcome.stdout_bytes.assign(outcomes.text + record.text_offset, record.text_length);
    if (record.end == End::exited) outcome.exit = record.value;
    outcome.failure = failure_kind(record.end, record.value, m_options.gtest, outcome.stdout_bytes);
    if (record.end == End::step_limit) outcome.failure = "step-limit";
    if (record.end == End::watchdog) outcome.failure = "watchdog";
    if (record.end == End::memory_limit) outcome.failure = "memory-limit";
    outcome.count = record.count;
    outcome.preemptions = record.preemptions;
    const bool ended_by_itself =
        record.end != End::step_limit && record.end != End::watchdog && record.end != End::memory_limit;
    if (!m_options.failures_directory.empty() && ended_by_itself && i < k_saved_outcomes) {
      const auto* choices = reinterpret_cast<const Choice*>(outcomes.text + record.decisions_offset);
      Schedule how;
      how.decisions = decisions_of(choices, record.decisions_count);
      how.preemptions = record.preemptions;
      const std::filesystem::path directory =
          std::filesystem::path(m_options.failures_directory).parent_path() / "outcomes";
      outcome.replay = (directory / (std::to_string(i + 1) + ".reex")).string();
      save_schedule(outcome.replay, m_options, m_run, how,
                    {.failure_kind = outcome.failure,
                     .failure_key = "",
                     .message = "",
                     .exit = outcome.exit,
                     .standard_output = outcome.stdout_bytes,
                     .promoted = promoted(session, record.promoted)});
    }
    m_run.outcomes.push_back(std::move(outcome));
  }
  if (outcomes.overflow) m_run.notes.push_back("there were more different outcomes than can be kept");
}

Progress Exploration::progress() const {
  const Status& status = m_memory->status;
  return {.schedules = status.schedules.load(),
          .pending = m_memory->search.pending,
          .bound = m_memory->search.level,
          .failures = status.distinct_failures.load(),
          .seconds = seconds()};
}

EndReason Exploration::end_reason(const Session& session) const {
  if (m_interrupted) return EndReason::interrupted;
  switch (m_memory->status.finish) {
  case Finish::complete:
    return m_run.exhausted ? EndReason::exhausted : EndReason::bound;
  case Finish::failure_limit:
    return EndReason::failure_limit;
  case Finish::schedule_limit:
    return EndReason::schedule_limit;
  case Finish::stopped:
    return EndReason::budget;
  case Finish::nondeterministic:
    return EndReason::nondeterministic;
  default:
    return session.stopped() ? EndReason::budget : EndReason::error;
  }
}

std::string Exploration::isolation_reason(Session& session) const {
  const SelfCheck& check = m_memory->check;
  const Status& status = m_memory->status;
  std::string reason = status.reason;
  if (status.irreversible_call >= 0) {
    const std::string place =
        place_text(session.reader().stack(status.irreversible_stack, status.irreversible_depth, k_max_stack));
    reason = "the test calls " + system_call_name(status.irreversible_call) +
             (place.empty() ? "" : " at " + place) + ", which a restore cannot take back";
  }
  if (check.restore_at_fault) reason += ": " + difference_text(check, session.reader());
  return reason;
}

// Where the first execution stood that was cut short.
std::string Exploration::stuck_text(Session& session) const {
  const Status& status = m_memory->status;
  if (m_run.inconclusive.executions() == 0 || status.stuck_depth == 0) return "";
  const std::string place =
      place_text(session.reader().stack(status.stuck_stack, status.stuck_depth, k_max_stack));
  return "in thread " + std::to_string(status.stuck_thread) + (place.empty() ? "" : " at " + place);
}

void Exploration::conclude(Session& session) {
  const Status& status = m_memory->status;
  const Search search(m_memory->config.search, m_memory->search, m_memory->frontier, m_memory->plan.list);
  m_run.schedules = status.schedules.load();
  m_run.pruned = status.pruned.load();
  m_run.inconclusive.step_limit = status.step_limited.load();
  m_run.inconclusive.watchdog = status.hung.load();
  m_run.inconclusive.memory_limit = status.memory_limited.load();
  m_run.inconclusive.livelock = status.livelocked.load();
  m_run.inconclusive.example = stuck_text(session);
  const bool cut_short = m_run.inconclusive.executions() != 0; // what they hid is not known
  m_run.exhausted = status.ready && search.exhausted() && !cut_short;
  if (const std::int64_t completed = search.bound_completed(); completed >= 0 && status.ready && !cut_short)
    m_run.bound_completed = static_cast<unsigned>(completed);
  m_run.control.threads = std::max(1u, status.max_threads.load());
  m_run.control.scheduling_points = status.points.load();
  m_run.control.isolation = status.isolation == IsolationMode::fork ? "fork" : "restore";
  if (m_options.isolation != Isolation::fork && status.isolation == IsolationMode::fork)
    m_run.control.isolation_reason = isolation_reason(session);
  m_run.promoted = m_memory->promoted.count;
  m_run.rounds = m_memory->promoted.rounds + 1;
  describe_uninstrumented(m_run.control, session.modules(), *m_memory);
  if (const std::string remedy = remedy_for_libraries(m_run.control, m_run.binary); !remedy.empty())
    m_run.notes.push_back(remedy);
  m_run.ended = end_reason(session);
  for (const auto& [slot, failure] : m_failure_slots)
    m_run.failures[failure].count += m_memory->known[slot].count;
  if (m_options.collect_outcomes) take_outcomes(session);
  if (const std::uint64_t unchecked = m_memory->findings.unchecked.load(); unchecked != 0)
    m_run.notes.push_back(std::to_string(unchecked) +
                          " executions were too long to look for data races to their end");
  if (m_memory->findings.overflow)
    m_run.notes.push_back("there were more different findings than can be kept");
  if (m_memory->search.overflow) m_run.notes.push_back("the frontier was full: not every schedule was kept");

  if (status.refused.load() != 0) {
    m_run.ended = EndReason::refused;
    m_run.error = status.refusal;
    m_run.failures.clear();
    return;
  }
  if (!status.ready) {
    // Nothing was controlled: no thread was ever created, or the test did not get so far.
    const int wait_status = session.process().wait_status();
    m_run.control.threads = 1;
    if (m_interrupted || session.stopped()) return;
    m_run.ended = EndReason::not_started;
    if (status.finish == Finish::error)
      m_run.error = status.reason;
    else if (WIFSIGNALED(wait_status))
      m_run.error = "the test was ended by signal " + std::to_string(WTERMSIG(wait_status)) +
                    " before it created a thread";
    else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0)
      m_run.error = "the test ended with exit status " + std::to_string(WEXITSTATUS(wait_status)) +
                    " before it created a thread";
  } else if (status.finish == Finish::nondeterministic) {
    m_run.error = "the test is not deterministic: its first schedule, executed twice, differed at " +
                  difference_text(m_memory->check, session.reader()) +
                  "; it depends on something that reex does not control";
  } else if (m_run.ended == EndReason::error) {
    m_run.error = status.reason[0] != '\0' ? status.reason : "the test process ended unexpectedly";
    if (m_memory->ending.end == End::diverged) {
      m_run.ended = EndReason::nondeterministic;
      m_run.error = "the test is not deterministic: the same choices led to another execution (step " +
                    std::to_string(m_memory->ending.value) +
                    "); it depends on something that reex does not control";
    }
  }
}

TestRun Exploration::run() {
  m_run.binary = std::filesystem::absolute(m_options.binary).lexically_normal().string();
  m_run.name = m_options.test_name;
  m_run.arguments = m_options.arguments;
  if (!m_options.test_name.empty()) m_run.arguments.push_back("--gtest_filter=" + m_options.test_name);
  const StrategyRow& strategy = row_of(m_options.strategy);
  m_run.strategy = strategy.name;
  m_run.sampled = strategy.samples();
  if (strategy.takes_depth) m_run.depth = m_options.depth;
  if (strategy.takes_interesting)
    m_run.interesting = m_options.interesting == Interesting::impacted ? "impacted" : "shared";
  m_run.bound = m_options.bound;
  m_run.heuristic = m_options.heuristic;
  m_run.seed = m_options.seed;
  configure(m_memory->config, m_options);
  if (!m_options.schedule_log.empty())
    m_log = open(m_options.schedule_log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  try {
    Session session(m_memory, command(), m_options.frame_bits, m_options.hang_after);
    session.serve({.tick = [this] { m_observer.progress(progress()); },
                   .failure = [this, &session] { take_report(session); },
                   .stop =
                       [this] {
                         m_interrupted = m_interrupted || m_observer.interrupted();
                         return m_interrupted || (m_options.deadline && Clock::now() >= *m_options.deadline);
                       }});
    conclude(session);
  } catch (const std::system_error& error) {
    m_run.ended = EndReason::not_started;
    m_run.error = error.what();
  }
  if (m_log >= 0) close(m_log);
  m_run.wall_seconds = seconds();
  m_run.executions_per_second =
      m_run.wall_seconds > 0 ? static_cast<double>(m_run.schedules) / m_run.wall_seconds : 0;
  return m_run;
}

} // namespace

VisibleAccesses visible_accesses(Accesses accesses) {
  switch (accesses) {
  case Accesses::sync:
    return VisibleAccesses::sync;
  case Accesses::racy:
    return VisibleAccesses::racy;
  case Accesses::all:
    return VisibleAccesses::all;
  }
  return VisibleAccesses::sync;
}

TestRun explore(const ExploreOptions& options, Observer& observer) {
  return Exploration(options, observer).run();
}

} // namespace reex
