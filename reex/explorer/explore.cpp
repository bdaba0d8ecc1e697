#include "reex/explorer/explore.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <set>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "heuristics/table.h"
#include "reex/explorer/difference.h"
#include "reex/explorer/identity.h"
#include "reex/explorer/left.h"
#include "reex/explorer/promoted_accesses.h"
#include "reex/explorer/report_store.h"
#include "reex/explorer/resume.h"
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

// Samples are dealt out by their numbers, and each shard stops at the same one.
std::uint64_t most_schedules(const ExploreOptions& options) {
  const std::uint64_t all = options.max_schedules.value_or(0);
  if (!options.shard || all == 0 || row_of(options.strategy).samples()) return all;
  return all / options.shard->count + (options.shard->index <= all % options.shard->count ? 1 : 0);
}

// What compares as the places in the order of exploration do: of two schedules, the one comes first that has
// the default at the first choice in which they differ, or the smaller rank there.
std::vector<std::uint64_t> order_of(const FailureSlot& slot, const Decisions& taken, std::uint64_t round) {
  const SchedulePlace& place = slot.place;
  if (place.sample != 0) return {place.sample};
  std::vector<std::uint64_t> order{round, place.iteration, place.level, place.shuffled};
  for (std::uint32_t i = 0; i < place.planned && i < taken.count; ++i) {
    order.push_back(k_no_bound - taken.list[i].point);
    order.push_back(taken.list[i].rank);
  }
  return order;
}

void configure(RunConfig& config, const ExploreOptions& options) {
  config.task = Task::explore;
  config.isolation = options.isolation == Isolation::fork ? IsolationMode::fork : IsolationMode::restore;
  config.accesses = visible_accesses(options.accesses);
  config.races = options.races != Races::off;
  config.timeouts = options.timeouts;
  config.spurious = options.spurious;
  config.collect_outcomes = options.collect_outcomes;
  config.max_schedules = most_schedules(options);
  config.max_steps = options.max_steps;
  config.memory_limit = options.memory_limit.value_or(0);
  config.keep_going = options.keep_going;
  config.search.strategy = options.strategy;
  config.search.reduction = options.reduction;
  config.search.bound = options.bound.value_or(k_no_bound);
  config.search.seed = options.seed;
  config.search.depth = options.depth;
  config.search.interesting = options.interesting;
  if (options.shard) {
    config.search.shard = options.shard->index - 1;
    config.search.shards = options.shard->count;
  }
  if (const auto heuristic = find_heuristic(options.heuristic); heuristic) {
    config.search.mode = heuristic->mode;
    config.search.mask = heuristic->mask;
  }
}

void configure_member(RunConfig& config, const PortfolioMember& member) {
  config.search.strategy = member.strategy;
  config.search.seed = member.seed;
  config.search.mode = PrioritizationMode::basic;
  config.search.mask = 0;
  if (!row_of(member.strategy).bounded) config.search.bound = k_no_bound;
  if (const auto heuristic = find_heuristic(member.heuristic); heuristic) {
    config.search.mode = heuristic->mode;
    config.search.mask = heuristic->mask;
  }
}

std::string reports_of(const std::string& state_file) {
  return state_file.empty() ? "" : state_file + ".reports";
}

std::string state_of_worker(const std::string& state_file, unsigned worker) {
  return worker == 0 ? state_file : state_file + "." + std::to_string(worker);
}

ControlMemory memory_for(const ExploreOptions& options, unsigned worker) {
  if (options.state_file.empty() || !options.portfolio.empty()) return {};
  const std::string path = state_of_worker(options.state_file, worker);
  return options.resume ? ControlMemory::left_at(path) : ControlMemory::at(path);
}

class Exploration {
public:
  Exploration(const ExploreOptions& options, Observer& observer) : m_options(options), m_observer(observer) {}

  TestRun run();

private:
  TestCommand command(unsigned worker) const;
  void start_workers();
  void begin(unsigned worker, std::uint64_t run);
  void remember(const KeptReport& report);
  void take_report(Session& session);
  void take_findings(Session& session);
  bool comes_first(Session& session) const;
  void take_failure(Session& session);
  void take_outcomes(Session& session);
  void conclude();
  void explain_error(Session& session);
  std::string isolation_reason(Session& session) const;
  std::string stuck_text(Session& session) const;
  void gather_counts();
  void gather_failures();
  EndReason end_reason() const;
  bool failures_reached() const;
  static Search search(ControlBlock& control);
  bool is_portfolio() const { return !m_options.portfolio.empty(); }
  ControlBlock& shared_of(Session& session) const; // the block with its search
  void gather_claims();
  Progress progress() const;
  bool is_time_to_stop();
  bool somebody_is_complete() const;
  void after_end(Session& session);
  bool may_start_again(Session& session) const;
  void abandon(Session& session);
  unsigned index_of(const Session& session) const;
  double seconds() const {
    return m_seconds_before + std::chrono::duration<double>(Clock::now() - m_start).count();
  }

  const ExploreOptions& m_options;
  Observer& m_observer;
  std::vector<std::unique_ptr<ControlMemory>> m_memories; // of each worker; the first has the search
  std::vector<std::unique_ptr<Session>> m_sessions;
  std::optional<ReportStore> m_reports;     // of a run that can be gone on from
  std::vector<std::uint32_t> m_last_report; // serial of the last that was taken, of each worker
  std::uint64_t m_restarts = 0;             // of test processes
  TestRun m_run;
  Clock::time_point m_start = Clock::now();
  double m_seconds_before = 0; // of the run that this one goes on from
  int m_log = -1;
  bool m_interrupted = false;
  struct Handed {
    const ControlBlock* by;
    std::uint32_t slot;  // known failure there
    std::size_t failure; // index here
  };
  std::vector<Handed> m_handed;
  std::optional<std::size_t> m_first; // of the failures, where one is asked for and several workers find some
  std::size_t m_saved_outcomes = 0;
};

TestCommand Exploration::command(unsigned worker) const {
  TestCommand command{.binary = m_run.binary,
                      .arguments = m_run.arguments,
                      .runtime = m_options.runtime,
                      .working_directory = "",
                      .control_descriptor = m_memories[worker]->descriptor(),
                      .shared_descriptor = worker == 0 || is_portfolio() ? -1 : m_memories[0]->descriptor(),
                      .log_descriptor = m_log};
  return command;
}

// What an execution printed, handed over with the slot.
CapturedOutput captured(const ControlBlock& control) {
  const FailureSlot& slot = control.failure;
  const char* text = control.outcomes.text + slot.output_offset;
  return {std::string(text, slot.output_length), std::string(text + slot.output_length, slot.error_length)};
}

// Several workers that look for one failure: nothing that is known comes before this one in the order of
// exploration. What does is handed over later, then.
bool Exploration::comes_first(Session& session) const {
  if (m_sessions.size() == 1 || is_portfolio() || m_options.keep_going != 1) return false;
  const SearchLimit& limit = shared_of(session).search.limit;
  return limit.set && !limit.ends_round && limit.worker == session.memory()->own.index;
}

void Exploration::take_failure(Session& session) {
  ControlMemory& memory = session.memory();
  const FailureSlot& slot = memory->failure;
  const Ending& ending = slot.ending;
  const CapturedOutput output = captured(*memory);
  Failure failure;
  failure.how.trace = session.reader().steps(memory->trace);
  failure.how.decisions = decisions_of(memory->saved.list, memory->saved.count);
  place_decisions(failure.how.decisions, memory->saved.list, memory->guide);
  failure.how.preemptions = memory->saved.preemptions;
  failure.where = session.reader().positions(memory->trace, ending);
  failure.memory = session.reader().memory(memory->trace);
  failure.kind = failure_kind(ending.end, ending.value, m_options.gtest, output.standard_output);
  failure.message = failure_message(failure.kind, ending, output, failure.where);
  failure.key = stable_key(failure.kind, failure.where, m_options.test_name);
  failure.schedule = slot.schedule;
  failure.order = order_of(slot, memory->saved, shared_of(session).promoted.rounds);
  failure.stdout_text = output.standard_output;
  failure.stderr_text = output.standard_error;
  if (slot.replayed.end != ending.end || slot.replayed.value != ending.value)
    m_run.notes.push_back(
        "schedule " + std::to_string(slot.schedule) +
        " failed, but not when it was executed once more: the test depends on something that "
        "reex does not control; its report may be incomplete");
  const auto same = std::find_if(m_run.failures.begin(), m_run.failures.end(),
                                 [&](const Failure& known) { return known.key == failure.key; });
  const bool known = same != m_run.failures.end();
  const auto index = static_cast<std::size_t>(same - m_run.failures.begin());
  m_handed.push_back({&*memory, slot.index, index});
  const bool first = comes_first(session);
  if (first) m_first = index;
  if (known && !first) return;
  if (!m_options.failures_directory.empty()) {
    failure.replay = m_options.failures_directory + "/" + failure.key + ".reex";
    ScheduleEnd end{.failure_kind = failure.kind,
                    .failure_key = failure.key,
                    .message = failure.message,
                    .exit = {},
                    .standard_output = output.standard_output,
                    .promoted = promoted_accesses(shared_of(session).promoted, slot.promoted, session)};
    if (ending.end == End::exited) end.exit = ending.value;
    save_schedule(failure.replay, m_options, m_run, failure.how, end);
  }
  if (known) {
    *same = failure;
    return;
  }
  m_run.failures.push_back(failure);
  for (std::size_t i = 0; i < m_options.portfolio.size(); ++i)
    if (&*m_memories[i] == &memory)
      m_run.notes.push_back("failure " + failure.key + " was found by " + m_options.portfolio[i].name);
  m_observer.failure(m_run.failures.back());
}

void Exploration::take_findings(Session& session) {
  ControlMemory& memory = session.memory();
  const Findings& findings = memory->findings;
  for (std::uint32_t i = findings.handed; i < findings.count; ++i) {
    const Finding finding = session.reader().finding(findings.record[i], m_options.test_name);
    if (is_of_the_library(finding)) continue;
    if (std::none_of(m_run.findings.begin(), m_run.findings.end(),
                     [&](const Finding& known) { return same_place(known, finding); }))
      m_run.findings.push_back(finding);
  }
}

void Exploration::take_report(Session& session) {
  const FailureSlot& slot = session.memory()->failure;
  const unsigned worker = index_of(session);
  if (slot.serial == m_last_report[worker]) return; // taken before its processes were killed
  m_last_report[worker] = slot.serial;
  const std::size_t failures = m_run.failures.size();
  const std::size_t findings = m_run.findings.size();
  const std::size_t notes = m_run.notes.size();
  take_findings(session);
  if (slot.failed) take_failure(session);
  if (!m_reports) return;
  const auto since = [](const auto& list, std::size_t from) {
    return std::decay_t<decltype(list)>(list.begin() + static_cast<std::ptrdiff_t>(from), list.end());
  };
  KeptReport report{.worker = worker,
                    .serial = slot.serial,
                    .slot = slot.index,
                    .failure_key = "",
                    .first = false,
                    .failures = {},
                    .findings = since(m_run.findings, findings),
                    .notes = since(m_run.notes, notes)};
  if (slot.failed) {
    const Failure& failure = m_run.failures[m_handed.back().failure];
    report.failure_key = failure.key;
    report.first = m_first == m_handed.back().failure;
    if (m_run.failures.size() > failures || m_sessions.size() > 1) report.failures = {failure};
  }
  m_reports->append(report);
}

// What the run that this one goes on from reported.
void Exploration::remember(const KeptReport& report) {
  const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  if (report.worker >= m_last_report.size()) return;
  m_last_report[report.worker] = report.serial;
  const auto place_of = [&](const std::string& key) {
    return std::find_if(m_run.failures.begin(), m_run.failures.end(),
                        [&](const Failure& known) { return known.key == key; });
  };
  for (const Failure& failure : report.failures) {
    if (const auto known = place_of(failure.key); known != m_run.failures.end())
      *known = failure;
    else
      m_run.failures.push_back(failure);
  }
  append(m_run.findings, report.findings);
  append(m_run.notes, report.notes);
  const auto failure = place_of(report.failure_key);
  if (failure == m_run.failures.end()) return;
  const auto index = static_cast<std::size_t>(failure - m_run.failures.begin());
  m_handed.push_back({&**m_memories[report.worker], report.slot, index});
  if (report.first) m_first = index;
}

// The first worker's block comes first.
void Exploration::begin(unsigned worker, std::uint64_t run) {
  ControlMemory& memory = *m_memories[worker];
  RunConfig config;
  configure(config, m_options);
  if (m_options.resume && !is_portfolio()) {
    take_over(*memory, **m_memories.front(), m_options, config);
    return;
  }
  memory->config = config;
  if (is_portfolio()) {
    configure_member(memory->config, m_options.portfolio[worker]);
    return;
  }
  memory->own.index = worker;
  memory->own.workers = m_options.jobs;
  if (!memory.path().empty()) note_provenance(*memory, m_options, run);
}

void Exploration::take_outcomes(Session& session) {
  ControlMemory& memory = session.memory();
  const Outcomes& outcomes = memory->outcomes;
  constexpr std::size_t k_saved_outcomes = 256;
  const auto known = [&](const Outcome& outcome) {
    return std::find_if(m_run.outcomes.begin(), m_run.outcomes.end(), [&](const Outcome& other) {
      return other.stdout_bytes == outcome.stdout_bytes && other.exit == outcome.exit &&
             other.failure == outcome.failure;
    });
  };
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
    if (&session != m_sessions.front().get()) { // another worker may have seen it
      if (const auto same = known(outcome); same != m_run.outcomes.end()) {
        same->count += outcome.count;
        if (same->preemptions <= outcome.preemptions) continue;
        outcome.count = same->count;
        m_run.outcomes.erase(same);
      }
    }
    const bool ended_by_itself =
        record.end != End::step_limit && record.end != End::watchdog && record.end != End::memory_limit;
    if (!m_options.failures_directory.empty() && ended_by_itself && m_saved_outcomes < k_saved_outcomes) {
      const auto* choices = reinterpret_cast<const Choice*>(outcomes.text + record.decisions_offset);
      Schedule how;
      how.decisions = decisions_of(choices, record.decisions_count);
      how.preemptions = record.preemptions;
      const std::filesystem::path directory =
          std::filesystem::path(m_options.failures_directory).parent_path() / "outcomes";
      outcome.replay = (directory / (std::to_string(++m_saved_outcomes) + ".reex")).string();
      save_schedule(outcome.replay, m_options, m_run, how,
                    {.failure_kind = outcome.failure,
                     .failure_key = "",
                     .message = "",
                     .exit = outcome.exit,
                     .standard_output = outcome.stdout_bytes,
                     .promoted = promoted_accesses(shared_of(session).promoted, record.promoted, session)});
    }
    m_run.outcomes.push_back(std::move(outcome));
  }
  if (outcomes.overflow) m_run.notes.push_back("there were more different outcomes than can be kept");
}

Progress Exploration::progress() const {
  Progress now;
  now.seconds = seconds();
  for (const auto& memory : m_memories) {
    now.schedules += (*memory)->status.schedules.load();
    now.failures += (*memory)->status.distinct_failures.load();
  }
  now.pending = (*m_memories[0])->search.pending;
  now.left = schedules_left(**m_memories[0], now.seconds);
  now.bound = (*m_memories[0])->search.level;
  return now;
}

// The worst of them; one stops where another has met a limit.
EndReason Exploration::end_reason() const {
  if (m_interrupted) return EndReason::interrupted;
  std::set<Finish> seen;
  for (const auto& memory : m_memories) seen.insert((*memory)->status.finish);
  if (seen.contains(Finish::nondeterministic)) return EndReason::nondeterministic;
  if (seen.contains(Finish::none) || seen.contains(Finish::error))
    return m_sessions.front()->stopped() ? EndReason::budget : EndReason::error;
  if (seen.contains(Finish::failure_limit) || failures_reached()) return EndReason::failure_limit;
  if (is_portfolio() && seen.contains(Finish::complete))
    return m_run.exhausted ? EndReason::exhausted : EndReason::bound;
  if (seen.contains(Finish::stopped)) return EndReason::budget;
  if (seen.contains(Finish::schedule_limit)) return EndReason::schedule_limit;
  return m_run.exhausted ? EndReason::exhausted : EndReason::bound;
}

bool Exploration::failures_reached() const {
  return m_options.keep_going != 0 && m_run.failures.size() >= m_options.keep_going;
}

ControlBlock& Exploration::shared_of(Session& session) const {
  return is_portfolio() ? *session.memory() : **m_memories[0];
}

Search Exploration::search(ControlBlock& control) {
  return {control.config.search, control.search,   control.frontier,
          control.own,           control.frontier, control.plan.list};
}

std::string Exploration::isolation_reason(Session& session) const {
  ControlMemory& memory = session.memory();
  const SelfCheck& check = memory->check;
  const Status& status = memory->status;
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
  ControlMemory& memory = session.memory();
  const Status& status = memory->status;
  if (m_run.inconclusive.executions() == 0 || status.stuck_depth == 0) return "";
  const std::string place =
      place_text(session.reader().stack(status.stuck_stack, status.stuck_depth, k_max_stack));
  return "in thread " + std::to_string(status.stuck_thread) + (place.empty() ? "" : " at " + place);
}

void Exploration::gather_counts() {
  Inconclusive& open = m_run.inconclusive;
  for (const auto& session : m_sessions) {
    const ControlMemory& memory = session->memory();
    const Status& status = memory->status;
    m_run.schedules += status.schedules.load();
    m_run.pruned += status.pruned.load();
    open.step_limit += status.step_limited.load();
    open.watchdog += status.hung.load();
    open.memory_limit += status.memory_limited.load();
    open.livelock += status.livelocked.load();
    if (open.example.empty()) open.example = stuck_text(*session);
    m_run.control.threads = std::max({1u, m_run.control.threads, status.max_threads.load()});
    m_run.control.scheduling_points += status.points.load();
    if (status.isolation == IsolationMode::fork && m_run.control.isolation != "fork") {
      m_run.control.isolation = "fork";
      if (m_options.isolation != Isolation::fork) m_run.control.isolation_reason = isolation_reason(*session);
    }
    if (const std::uint64_t unchecked = memory->findings.unchecked.load(); unchecked != 0)
      m_run.notes.push_back(std::to_string(unchecked) +
                            " executions were too long to look for data races to their end");
    if (memory->findings.overflow)
      m_run.notes.push_back("there were more different findings than can be kept");
  }
  if (m_run.control.isolation.empty()) m_run.control.isolation = "restore";
}

// Of the failures that several workers have found, one is asked for: the first in the order of exploration.
void Exploration::gather_failures() {
  for (const Handed& handed : m_handed)
    m_run.failures[handed.failure].count += handed.by->known[handed.slot].count;
  if (m_first) m_run.failures = {m_run.failures[*m_first]};
}

// In a portfolio, what the one claims that has come furthest.
void Exploration::gather_claims() {
  if (m_run.inconclusive.executions() != 0) return; // what they hid is not known
  const std::size_t searches = is_portfolio() ? m_memories.size() : 1;
  for (std::size_t i = 0; i < searches; ++i) {
    ControlBlock& control = **m_memories[i];
    if (!control.status.ready) continue;
    m_run.exhausted = m_run.exhausted || search(control).exhausted();
    if (const std::int64_t completed = search(control).bound_completed();
        completed >= 0 && completed >= static_cast<std::int64_t>(m_run.bound_completed.value_or(0)))
      m_run.bound_completed = static_cast<unsigned>(completed);
  }
}

void Exploration::conclude() {
  Session& session = *m_sessions.front();
  const ControlMemory& memory = session.memory();
  gather_counts();
  gather_failures();
  gather_claims();
  std::uint64_t restarts = m_restarts;
  for (const auto& one : m_memories) restarts += (*one)->status.restarted.load();
  if (restarts != 0)
    m_run.notes.push_back(std::to_string(restarts) +
                          " processes were killed from outside and started again: nothing was lost");
  m_run.promoted = memory->promoted.count;
  m_run.promoted_accesses = promoted_accesses(memory->promoted, memory->promoted.count, session);
  if (session.not_promoted() != 0)
    m_run.notes.push_back(std::to_string(session.not_promoted()) +
                          " accesses of --promote-from are not in this test: it is of another build");
  m_run.rounds = memory->promoted.rounds + 1;
  describe_uninstrumented(m_run.control, session.modules(), *memory);
  if (const std::string remedy = remedy_for_libraries(m_run.control, m_run.binary); !remedy.empty())
    m_run.notes.push_back(remedy);
  m_run.ended = end_reason();
  if (m_options.collect_outcomes)
    for (const auto& one : m_sessions) take_outcomes(*one);
  if (memory->search.overflow) m_run.notes.push_back("the frontier was full: not every schedule was kept");
  for (const auto& one : m_sessions)
    if (m_run.error.empty()) explain_error(*one);
}

// What went wrong in the worker's test process, if anything did.
void Exploration::explain_error(Session& session) {
  const ControlMemory& memory = session.memory();
  const Status& status = memory->status;
  if (status.refused.load() != 0) {
    m_run.ended = EndReason::refused;
    m_run.error = status.refusal;
    m_run.failures.clear();
    return;
  }
  if (!status.ready) {
    // Nothing was controlled: no thread was ever created, or the test did not get so far.
    const int wait_status = session.process().wait_status();
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
                  difference_text(memory->check, session.reader()) +
                  "; it depends on something that reex does not control";
  } else if (m_run.ended == EndReason::error &&
             (status.finish == Finish::error || status.finish == Finish::none)) {
    m_run.error = status.reason[0] != '\0' ? status.reason : "the test process ended unexpectedly";
    if (memory->ending.end == End::diverged) {
      m_run.ended = EndReason::nondeterministic;
      m_run.error = "the test is not deterministic: the same choices led to another execution (step " +
                    std::to_string(memory->ending.value) +
                    "); it depends on something that reex does not control";
    }
  }
}

unsigned Exploration::index_of(const Session& session) const {
  const auto found = std::find_if(m_sessions.begin(), m_sessions.end(),
                                  [&](const auto& one) { return one.get() == &session; });
  return static_cast<unsigned>(found - m_sessions.begin());
}

// It was killed from outside, and does not end so every time.
bool Exploration::may_start_again(Session& session) const {
  constexpr std::uint64_t k_most = 100;
  const int wait_status = session.process().wait_status();
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL && !session.stopped() &&
         !m_interrupted && session.memory()->status.finish == Finish::none && m_restarts < k_most;
}

void Exploration::after_end(Session& session) {
  if (!may_start_again(session)) {
    abandon(session);
    return;
  }
  ++m_restarts;
  session.clear_away();
  ready_for_new_processes(*session.memory(), shared_of(session));
  session.start_again();
}

// The others do not wait for what it was at.
void Exploration::abandon(Session& session) {
  if (m_sessions.size() == 1 || is_portfolio()) return;
  ControlBlock& first = **m_memories[0];
  ControlBlock& own = *session.memory();
  Search(first.config.search, first.search, first.frontier, own.own, own.frontier, own.plan.list).abandon();
}

bool Exploration::is_time_to_stop() {
  m_interrupted = m_interrupted || m_observer.interrupted();
  return m_interrupted || (m_options.deadline && Clock::now() >= *m_options.deadline) ||
         (m_sessions.size() > 1 && (is_portfolio() || m_options.keep_going > 1) && failures_reached()) ||
         (is_portfolio() && somebody_is_complete());
}

bool Exploration::somebody_is_complete() const {
  return std::any_of(m_memories.begin(), m_memories.end(),
                     [](const auto& memory) { return (*memory)->status.finish == Finish::complete; });
}

void Exploration::start_workers() {
  const unsigned workers =
      is_portfolio() ? static_cast<unsigned>(m_options.portfolio.size()) : m_options.jobs;
  const std::uint64_t run = std::random_device()() | std::uint64_t{1} << 32;
  for (unsigned worker = 0; worker < workers; ++worker) {
    m_memories.push_back(std::make_unique<ControlMemory>(memory_for(m_options, worker)));
    begin(worker, run);
  }
  m_last_report.resize(workers);
  m_run.state_file = m_memories.front()->path();
  if (!m_run.state_file.empty()) m_reports.emplace(reports_of(m_run.state_file));
  if (m_reports && m_options.resume) {
    m_seconds_before = (*m_memories.front())->provenance.seconds;
    for (const KeptReport& report : m_reports->load()) remember(report);
  } else if (m_reports) {
    m_reports->clear();
    for (auto memory = m_memories.rbegin(); memory != m_memories.rend(); ++memory) (*memory)->publish();
  }
  std::vector<CodePlace> promoted;
  for (const PromotedAccess& access : m_options.promoted) promoted.push_back({access.module, access.offset});
  for (unsigned worker = 0; worker < workers; ++worker) {
    m_sessions.push_back(std::make_unique<Session>(*m_memories[worker], command(worker), m_options.frame_bits,
                                                   m_options.hang_after));
    m_sessions.back()->promote(promoted, *m_memories[is_portfolio() ? worker : 0]);
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
  if (is_portfolio()) {
    m_run.strategy = "portfolio of";
    for (const PortfolioMember& member : m_options.portfolio) m_run.strategy += " " + member.name;
    m_run.sampled = false;
  }
  if (strategy.takes_depth) m_run.depth = m_options.depth;
  if (strategy.takes_interesting)
    m_run.interesting = m_options.interesting == Interesting::impacted ? "impacted" : "shared";
  m_run.bound = m_options.bound;
  m_run.heuristic = m_options.heuristic;
  m_run.seed = m_options.seed;
  m_run.keep_going = m_options.keep_going;
  m_run.shard = m_options.shard;
  if (m_options.shard) m_run.identity = identity_of(m_options);
  if (!m_options.schedule_log.empty())
    m_log = open(m_options.schedule_log.c_str(),
                 O_WRONLY | O_CREAT | (m_options.resume ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0644);
  try {
    start_workers();
    std::vector<Session*> sessions;
    for (const auto& session : m_sessions) sessions.push_back(session.get());
    for (std::size_t i = 0; m_reports && i < sessions.size(); ++i)
      sessions[i]->on_modules([this, i](const auto& modules) { check_modules(**m_memories[i], modules); });
    Session::serve(sessions, {.tick =
                                  [this] {
                                    (*m_memories.front())->provenance.seconds = seconds();
                                    m_observer.progress(progress());
                                  },
                              .failure = [this](Session& session) { take_report(session); },
                              .ended = [this](Session& session) { after_end(session); },
                              .stop = [this] { return is_time_to_stop(); }});
    conclude();
  } catch (const std::system_error& error) {
    m_run.ended = EndReason::not_started;
    m_run.error = error.what();
  }
  if (m_log >= 0) close(m_log);
  m_run.wall_seconds = seconds();
  if (!m_memories.empty() && (*m_memories.front())->status.ready)
    m_run.left = schedules_left(**m_memories.front(), m_run.wall_seconds);
  if (!m_memories.empty()) (*m_memories.front())->provenance.seconds = m_run.wall_seconds;
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

bool has_state(const std::string& state_file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(state_file, none);
  return !none && size != 0; // empty: of a run that was killed before it began
}

void remove_state(const std::string& state_file) {
  for (unsigned worker = 0; worker < k_max_workers; ++worker)
    unlink(state_of_worker(state_file, worker).c_str());
  unlink(reports_of(state_file).c_str());
}

} // namespace reex
