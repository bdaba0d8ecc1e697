#include "reex/explorer/explore.h"
#include "reex/run/options.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "reex/explorer/configure.h"
#include "reex/explorer/exploration.h"
#include "reex/explorer/identity.h"
#include "reex/explorer/left.h"
#include "reex/explorer/profile.h"
#include "reex/explorer/resume.h"
#include "reex/frameworks/table.h"
#include "reex/process/descriptor.h"
#include "reex/process/machine.h"
#include "reex/process/packed_file.h"
#include "reex/process/process_tree.h"
#include "reex/records/checked.h"
#include "reex/records/provenance.h"
#include "reex/records/recovery.h"
#include "reex/records/search.h"

namespace reex {
namespace {

std::string reports_of(const std::string& state_file) {
  return state_file.empty() ? "" : state_file + ".reports";
}

std::string state_of_worker(const std::string& state_file, unsigned worker) {
  return worker == 0 ? state_file : state_file + "." + std::to_string(worker);
}

// Their files are made in order, and removed in the opposite one: there are no gaps.
unsigned workers_with_state(const std::string& state_file) {
  unsigned workers = 0;
  while (workers < k_max_workers && access(state_of_worker(state_file, workers).c_str(), F_OK) == 0)
    ++workers;
  return workers;
}

// In a state that no process uses.
void note_binary_in(const std::string& path, const std::string& binary, std::string& digest) {
  const Descriptor file(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  struct stat status = {};
  if (!file || fstat(*file, &status) != 0 || status.st_size != sizeof(ControlBlock)) return;
  Provenance provenance;
  constexpr off_t k_place = offsetof(ControlBlock, provenance);
  if (pread(*file, &provenance, sizeof provenance, k_place) != sizeof provenance) return;
  try {
    note_binary(provenance, binary, digest);
  } catch (const DamagedMemory&) { // whoever goes on will see it
    return;
  }
  [[maybe_unused]] const ssize_t written = pwrite(*file, &provenance, sizeof provenance, k_place);
}

ControlMemory memory_for(const ExploreOptions& options, unsigned worker) {
  if (options.state_file.empty() || !options.portfolio.empty()) return {};
  const std::string path = state_of_worker(options.state_file, worker);
  if (options.resume) return ControlMemory::left_at(path);
  try {
    return ControlMemory::at(path);
  } catch (const std::system_error& error) {
    if (!remedy_for(error.code()).empty()) throw;
    throw MachineError(std::string("the run's state cannot be kept (") + error.what() +
                       "): choose another folder with -o DIR");
  }
}

} // namespace

TestCommand Exploration::command(unsigned worker) const {
  TestCommand command{.binary = m_run.binary,
                      .arguments = m_run.arguments,
                      .runtime = m_options.runtime,
                      .working_directory = "",
                      .control_descriptor = m_memories[worker]->descriptor(),
                      .shared_descriptor = worker == 0 || is_portfolio() ? -1 : m_memories[0]->descriptor(),
                      .table_descriptor = m_memories[is_portfolio() ? worker : 0]->table_descriptor(),
                      .has_others = m_options.jobs > 1 && !is_portfolio(),
                      .log_descriptor = m_log};
  return command;
}

// Writes or takes over the worker's configuration. The first worker must be the first.
void Exploration::begin(unsigned worker, std::uint64_t run) {
  ControlMemory& memory = *m_memories[worker];
  m_modules.emplace_back();
  RunConfig config;
  configure(config, m_options);
  if (m_options.resume && !is_portfolio()) {
    try {
      take_over(*memory, **m_memories.front(), m_options, config, worker);
      m_modules[worker] = read_provenance(memory->provenance).modules;
    } catch (const DamagedMemory&) {
      throw ResumeError("what the interrupted run left was overwritten by the test");
    }
    return;
  }
  memory->config = config;
  if (is_portfolio()) {
    configure_member(memory->config, m_options.portfolio[worker]);
    return;
  }
  memory->own.index = worker;
  memory->own.workers = m_options.jobs;
  if (m_options.profile) give_profile(*memory, *m_options.profile);
  if (!memory.path().empty()) note_provenance(*memory, m_options, run);
}

unsigned Exploration::search_index(const Session& session) const {
  return is_portfolio() ? 0 : index_of(session);
}

ControlBlock& Exploration::shared_of(Session& session) const {
  return is_portfolio() ? *session.memory() : **m_memories[0];
}

unsigned Exploration::index_of(const Session& session) const {
  const auto found = std::find_if(m_sessions.begin(), m_sessions.end(),
                                  [&](const auto& one) { return one.get() == &session; });
  return static_cast<unsigned>(found - m_sessions.begin());
}

// True if the test process was killed from outside, and not too often in this run.
bool Exploration::may_start_again(Session& session) const {
  constexpr std::uint64_t k_most = 100;
  const int wait_status = session.process().wait_status();
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL && !session.stopped() &&
         !session.is_stuck() && !m_interrupted && read_finish(session.memory()->status) == Finish::none &&
         m_restarts < k_most;
}

void Exploration::after_end(Session& session) {
  if (!may_start_again(session)) {
    take_unfinished_report(session);
    abandon(session);
    return;
  }
  ++m_restarts;
  session.clear_away();
  ready_for_new_processes(*session.memory(), shared_of(session), search_index(session));
  session.start_again();
}

// Tells the search that the session's worker is gone, so that the other workers do not wait for it.
void Exploration::abandon(Session& session) {
  if (m_sessions.size() == 1 || is_portfolio()) return;
  const unsigned worker = index_of(session);
  recover_search(*session.memory(), **m_memories[0], worker);
  m_to_abandon.push_back(worker);
  abandon_the_ended();
}

// A worker may have the lock of the search for long. The parent does not wait for it.
void Exploration::abandon_the_ended() {
  std::erase_if(m_to_abandon, [this](unsigned worker) { return abandon_search(**m_memories[0], worker); });
}

// Whether a finding makes the test fail, whatever is still found: then no worker deepens the search, if one
// failure is enough.
void Exploration::settle() {
  const bool asks = m_options.settles && m_options.keep_going == 1;
  for (; asks && !m_settled && m_asked < m_run.findings.size(); ++m_asked)
    m_settled = m_options.settles(m_run.findings[m_asked]);
  for (const auto& memory : m_memories) (*memory)->search.settled.store(m_settled);
}

// Whether the search has gone on for as long as it took until `since`, where no limit by the user says how
// long it goes on.
bool Exploration::has_gone_on(Clock::time_point since) const {
  constexpr std::chrono::seconds k_most{60};
  const bool uses_it_up = m_options.deadline && m_options.uses_up_time && !m_options.deadline_ends_turn;
  if (uses_it_up || m_options.max_schedules) return false;
  return Clock::now() - since >= std::clamp<Clock::duration>(since - m_start, m_options.deepens_for, k_most);
}

// A search that deepens goes on beyond the bound as long as it is not known that the test fails, and for a
// while.
bool Exploration::is_deep_enough() {
  if (!m_options.deepens) return false;
  if (!m_deeper_since) {
    if (read_search_progress((*m_memories[0])->search).bound <= m_options.bound.value_or(k_no_bound))
      return false;
    m_deeper_since = Clock::now();
  }
  // One worker may have deepened it already.
  return m_deep_enough = m_settled || has_gone_on(*m_deeper_since);
}

// Where a race makes the test fail, the search looks for what comes of it, but not until the bound is done.
bool Exploration::is_race_enough() {
  if (!m_options.deepens || !m_settled) return false;
  if (!m_settled_since) m_settled_since = Clock::now();
  return m_race_is_enough = has_gone_on(*m_settled_since);
}

// The first execution has a long limit, and may go on for ever where others do not. On a busy machine it may
// have hardly run in half of its time. Where a few others came to no end within their limit, more of them
// have no verdict either: then it has three quarters.
void Exploration::hurry_the_first() {
  Status& status = (*m_memories.front())->status;
  if (!m_options.deadline || status.hurry.load() != Hurry::none || status.schedules.load() != 0) return;
  const auto time = end_of_first() - m_start;
  if (Clock::now() - m_start < (m_options.others_are_long ? time / 4 * 3 : time / 2)) return;
  if (activity_of(m_sessions.front()->process().pid()).processor >= time / 4)
    status.hurry.store(Hurry::asked);
}

Exploration::Clock::time_point Exploration::end_of_first() const {
  return std::max(*m_options.deadline, m_options.first_deadline.value_or(*m_options.deadline));
}

// What an earlier run has left is not to be continued after this one.
void Exploration::forget_earlier_state() const {
  if (!has_state(m_options.state_file)) return;
  const bool is_used = memory_for(m_options, 0).path().empty(); // by another run, now
  if (!is_used) remove_state(m_options.state_file);
}

bool Exploration::is_time_up() const {
  if (!m_options.deadline || Clock::now() < *m_options.deadline) return false;
  const bool any = std::any_of(m_memories.begin(), m_memories.end(),
                               [](const auto& memory) { return (*memory)->status.schedules.load() != 0; });
  return any || Clock::now() >= end_of_first();
}

bool Exploration::has_shown_failure() const {
  return !m_run.failures.empty() ||
         (m_options.settles && std::any_of(m_run.findings.begin(), m_run.findings.end(), m_options.settles));
}

// Whether the few that go before a long first execution have had a quarter of the time, and shown nothing:
// slow ones would leave none for an execution that is only a little longer than they may be.
bool Exploration::is_turn_of_few_over() {
  if (m_turn_is_over) return true;
  if (!m_options.deadline || has_shown_failure()) return false;
  if ((*m_memories.front())->status.hurry.load() != Hurry::a_few) return false;
  const bool shown = std::any_of(m_memories.begin(), m_memories.end(),
                                 [](const auto& memory) { return (*memory)->status.failed.load() != 0; });
  return m_turn_is_over = !shown && Clock::now() - m_start >= (*m_options.deadline - m_start) / 4;
}

bool Exploration::is_time_to_stop() {
  m_interrupted = m_interrupted || m_observer.interrupted();
  return m_interrupted || is_time_up() || is_deep_enough() || is_race_enough() || is_turn_of_few_over() ||
         ((m_options.is_suppressed ||
           (m_sessions.size() > 1 && (is_portfolio() || m_options.keep_going > 1))) &&
          failures_reached()) ||
         (is_portfolio() && somebody_is_complete());
}

bool Exploration::somebody_is_complete() const {
  return std::any_of(m_memories.begin(), m_memories.end(),
                     [](const auto& memory) { return read_finish((*memory)->status) == Finish::complete; });
}

void Exploration::start_workers() {
  const unsigned workers =
      is_portfolio() ? static_cast<unsigned>(m_options.portfolio.size()) : m_options.jobs;
  const std::uint64_t run = std::random_device()() | std::uint64_t{1} << 32;
  for (unsigned worker = 0; worker < workers; ++worker) {
    // Where another run of the same test has the state of the first worker, none of this run's is kept.
    const bool keeps = worker == 0 || !m_memories.front()->path().empty();
    m_memories.push_back(
        std::make_unique<ControlMemory>(keeps ? memory_for(m_options, worker) : ControlMemory()));
    begin(worker, run);
    m_configs.push_back(fetch((*m_memories.back())->config));
    m_seals.emplace_back((*m_memories.back())->config);
  }
  m_last_report.resize(workers);
  m_run.state_file = m_memories.front()->path();
  if (m_run.state_file.empty() && is_full(m_options.state_file))
    m_run.notes.push_back("the run cannot be continued: " + no_room_text(m_options.state_file));
  if (!m_run.state_file.empty()) m_reports.emplace(reports_of(m_run.state_file));
  if (m_reports && m_options.resume) {
    m_seconds_before = read_provenance((*m_memories.front())->provenance).seconds;
    for (const StoredReport& report : m_reports->load()) remember(report);
  } else if (m_reports) {
    m_reports->clear();
    for (auto memory = m_memories.rbegin(); memory != m_memories.rend(); ++memory) (*memory)->publish();
  }
  settle();
  std::vector<CodeAddress> promoted;
  for (const PromotedAccess& access : m_options.promoted) promoted.push_back({access.module, access.offset});
  if (m_options.profile)
    for (const PromotedAccess& access : m_options.profile->promoted)
      promoted.push_back({access.module, access.offset});
  for (unsigned worker = 0; worker < workers; ++worker) {
    m_sessions.push_back(std::make_unique<Session>(*m_memories[worker], command(worker), m_options.frame_bits,
                                                   m_options.hang_after));
    m_sessions.back()->promote(promoted, *m_memories[is_portfolio() ? worker : 0]);
  }
}

// Whether they are those of the profile, and for a profile that is still to be learned.
void Exploration::check_libraries(const std::vector<MappedModule>& modules) {
  m_libraries = digest_of_libraries(modules, m_options.binary);
  if (m_options.profile && m_options.profile->modules != m_libraries)
    throw ProfileError(
        "the test has loaded other libraries, or elsewhere in memory, than where it was learned");
}

void Exploration::open_schedule_log() {
  if (m_options.schedule_log.empty()) return;
  m_log = open(m_options.schedule_log.c_str(),
               O_WRONLY | O_CREAT | (m_options.resume ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0644);
  if (m_log < 0)
    throw ScheduleFileError("cannot write " + m_options.schedule_log + ": " + std::strerror(errno) +
                            ": give another path with --schedule-log");
}

void Exploration::note_the_binary() {
  constexpr std::chrono::seconds k_young{1};
  if (m_binary_noted || !m_reports || Clock::now() - m_start < k_young) return;
  m_binary_noted = true;
  std::string digest;
  for (const auto& memory : m_memories) note_binary((*memory)->provenance, m_options.binary, digest);
}

TestRun Exploration::run() {
  m_run.binary = std::filesystem::absolute(m_options.binary).lexically_normal().string();
  m_run.name = m_options.test_name;
  m_run.arguments = arguments_of_case(m_options.framework, m_options.test_name, m_options.arguments);
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
  if (is_time_up() && !m_options.resume) {
    forget_earlier_state();
    m_run.ended = EndReason::not_begun;
    return std::move(m_run);
  }
  open_schedule_log();
  forget_lack_of_room();
  try {
    start_workers();
    if (!is_portfolio() && m_configs.front().search.prioritization.is_basic()) m_run.heuristic.clear();
    std::vector<Session*> sessions;
    for (const auto& session : m_sessions) sessions.push_back(session.get());
    for (std::size_t i = 0; i < sessions.size(); ++i)
      sessions[i]->on_modules([this, i](const auto& modules) {
        if (m_reports) check_modules(**m_memories[i], m_modules[i], modules, m_options.binary);
        if (m_options.learns || m_options.profile) check_libraries(modules);
      });
    Session::serve(sessions, {.tick =
                                  [this] {
                                    if (ran_out_of_room())
                                      throw MachineError(no_room_text(m_options.state_file));
                                    check_configurations();
                                    note_the_binary();
                                    abandon_the_ended();
                                    hurry_the_first();
                                    (*m_memories.front())->provenance.seconds = seconds();
                                    m_observer.progress(progress());
                                  },
                              .failure =
                                  [this](Session& session) {
                                    take_report(session);
                                    // Before the worker goes on, so that it makes no further execution.
                                    if (m_options.is_suppressed && failures_reached())
                                      for (const auto& memory : m_memories) (*memory)->status.stop.store(1);
                                  },
                              .ended = [this](Session& session) { after_end(session); },
                              .stop = [this] { return is_time_to_stop(); }});
    conclude();
    tell_what_is_left();
  } catch (const DamagedMemory& damage) {
    end_damaged(damage);
  } catch (const MachineError& error) {
    end_early(EndReason::error, {ErrorKind::machine, error.what()});
  } catch (const std::system_error& error) {
    const bool limited = !remedy_for(error.code()).empty();
    if (limited || any_started())
      end_early(EndReason::error, {limited ? ErrorKind::machine : ErrorKind::internal, with_remedy(error)});
    else
      end_unstarted(error.what());
  }
  if (m_run.error.kind == ErrorKind::internal && is_full(m_options.state_file))
    m_run.error = {ErrorKind::machine, no_room_text(m_options.state_file)};
  if (ran_out_of_room() && m_run.error.kind != ErrorKind::machine) // since the last tick
    end_early(EndReason::error, {ErrorKind::machine, no_room_text(m_options.state_file)});
  if (ran_out_of_room() || (m_run.error.kind == ErrorKind::machine && is_full(m_options.state_file)))
    drop_state();
  if (m_log >= 0) close(m_log);
  m_run.wall_seconds = seconds();
  if (!m_memories.empty()) (*m_memories.front())->provenance.seconds = m_run.wall_seconds;
  m_run.executions_per_second =
      m_run.wall_seconds > 0 ? static_cast<double>(m_run.schedules) / m_run.wall_seconds : 0;
  return m_run;
}

void Exploration::tell_what_is_left() {
  m_run.wall_seconds = seconds();
  if (m_statuses.front().ready)
    m_run.left = schedules_left(m_configs.front().search, (*m_memories.front())->search,
                                (*m_memories.front())->status, m_run.wall_seconds);
}

bool Exploration::gave_way_in_vain() const {
  if (m_memories.empty() || (*m_memories.front())->status.hurry.load() != Hurry::a_few) return false;
  if (has_shown_failure()) return false;
  if (m_turn_is_over && m_run.ended == EndReason::budget) return true;
  return m_run.ended == EndReason::schedule_limit || m_run.ended == EndReason::bound ||
         m_run.ended == EndReason::exhausted || m_run.ended == EndReason::iteration_limit;
}

TestRun explore(const ExploreOptions& options, Observer& observer) {
  // In less time, half a second more or less decides whether the first execution comes to its end.
  constexpr std::chrono::seconds k_enough{10};
  ExploreOptions patient = options;
  patient.gives_way_after = 0;
  if (options.gives_way_after == 0 || (options.deadline && !options.deadline_ends_turn &&
                                       *options.deadline - std::chrono::steady_clock::now() < k_enough))
    return Exploration(patient, observer).run();
  Exploration exploration(options, observer);
  TestRun run = exploration.run();
  if (!exploration.gave_way_in_vain()) return run;
  patient.others_are_long = run.inconclusive.step_limit != 0;
  TestRun whole = Exploration(patient, observer).run();
  whole.wall_seconds += run.wall_seconds;
  return whole;
}

// The file is empty, or begins with zero, if its run was killed before it began.
bool has_state(const std::string& state_file) {
  const Descriptor file(open(state_file.c_str(), O_RDONLY | O_CLOEXEC));
  std::uint64_t begin = 0;
  return file && pread(*file, &begin, sizeof begin, 0) > 0 && begin != 0;
}

std::uintmax_t size_of_state(const std::string& state_file) {
  constexpr std::uintmax_t k_block = 512; // of stat(2)
  std::uintmax_t size = 0;
  for (unsigned worker = workers_with_state(state_file); worker-- > 0;)
    if (struct stat status = {}; stat(state_of_worker(state_file, worker).c_str(), &status) == 0)
      size += static_cast<std::uintmax_t>(status.st_blocks) * k_block;
  return size;
}

void pack_states(const std::vector<std::string>& state_files, const std::string& binary) {
  std::string digest;
  for (const std::string& state_file : state_files)
    for (unsigned worker = workers_with_state(state_file); worker-- > 0;) {
      note_binary_in(state_of_worker(state_file, worker), binary, digest);
      pack_file(state_of_worker(state_file, worker), sizeof(ControlBlock));
    }
}

std::string state_of_lessons(const std::string& state_file) { return state_file + ".lessons"; }

// The first worker's goes first: without it there is no state, should this process be killed in between, and
// the next run replaces the rest.
void remove_state(const std::string& state_file) {
  if (const std::string lessons = state_of_lessons(state_file); has_state(lessons)) remove_state(lessons);
  const unsigned workers = workers_with_state(state_file);
  for (unsigned worker = 0; worker < workers; ++worker) unlink(state_of_worker(state_file, worker).c_str());
  unlink(reports_of(state_file).c_str());
}

} // namespace reex
