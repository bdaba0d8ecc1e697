#include "reex/explorer/exploration.h"

#include <algorithm>
#include <set>

#include "reex/explorer/left.h"
#include "reex/explorer/profile.h"
#include "reex/process/promoted_accesses.h"
#include "reex/process/system_calls.h"
#include "reex/records/audit.h"
#include "reex/records/match_table.h"
#include "reex/records/schedules.h"
#include "reex/records/search.h"
#include "reex/records/self_check.h"
#include "reex/trace/difference.h"
#include "reex/trace/uninstrumented.h"

namespace reex {
namespace {

constexpr const char* k_uncontrolled = "; it depends on something that reex does not control";

} // namespace

Progress Exploration::progress() const {
  Progress now;
  now.seconds = seconds();
  for (const auto& memory : m_memories) {
    const StatusCounts counts = read_counts((*memory)->status);
    now.schedules += counts.schedules;
    now.failures += counts.distinct_failures;
  }
  now.findings = m_run.findings.size();
  const SearchProgress search = read_search_progress((*m_memories[0])->search);
  now.pending = search.pending;
  now.left =
      schedules_left(m_configs[0].search, (*m_memories[0])->search, (*m_memories[0])->status, now.seconds);
  now.bound = search.level;
  now.sampled = row_of(m_options.strategy).samples();
  if (now.sampled) now.total = samples_of_shard();
  return now;
}

// The samples are numbered, and dealt to the shards by their numbers.
std::uint64_t Exploration::samples_of_shard() const {
  const std::uint64_t all = m_options.max_schedules.value_or(0);
  if (!m_options.shard) return all;
  return all / m_options.shard->count + (m_options.shard->index <= all % m_options.shard->count ? 1 : 0);
}

// A search that deepens has done what it promises when the bound is done.
bool Exploration::is_bound_done() const {
  return m_options.deepens && m_run.bound_completed &&
         *m_run.bound_completed >= m_options.bound.value_or(k_no_bound);
}

EndReason Exploration::stop_reason() const {
  if (m_deep_enough || is_bound_done()) return EndReason::bound;
  return m_race_is_enough ? EndReason::failure_limit : EndReason::budget;
}

// The worst end of any worker. When one worker meets a limit, the others stop.
EndReason Exploration::end_reason() const {
  if (m_interrupted) return EndReason::interrupted;
  std::set<Finish> seen;
  for (const StatusCopy& status : m_statuses) seen.insert(status.finish);
  if (seen.contains(Finish::nondeterministic)) return EndReason::nondeterministic;
  if (seen.contains(Finish::unsupported)) return EndReason::refused;
  if (seen.contains(Finish::none) || seen.contains(Finish::error))
    return m_sessions.front()->stopped() ? stop_reason() : EndReason::error;
  if (seen.contains(Finish::failure_limit) || failures_reached()) return EndReason::failure_limit;
  if (is_portfolio() && seen.contains(Finish::complete))
    return m_run.exhausted ? EndReason::exhausted : EndReason::bound;
  if (seen.contains(Finish::stopped)) return stop_reason();
  if (seen.contains(Finish::schedule_limit))
    return is_bound_done() ? EndReason::bound : EndReason::schedule_limit;
  if (m_run.exhausted) return EndReason::exhausted;
  return are_iterations_done() ? EndReason::iteration_limit : EndReason::bound;
}

// Schedules are left, and wait for a CAPP iteration beyond those that were to be explored.
bool Exploration::are_iterations_done() const {
  const auto complete = [](const StatusCopy& status) { return status.finish == Finish::complete; };
  if (m_options.iterations == 0 || !std::all_of(m_statuses.begin(), m_statuses.end(), complete)) return false;
  const SearchProgress search = read_search_progress((*m_memories[0])->search);
  return search.pending != 0 && search.iteration + 1 >= m_options.iterations;
}

bool Exploration::failures_reached() const {
  if (m_options.keep_going == 0) return false;
  const auto counts = [this](const Failure& failure) {
    return !m_options.is_suppressed || !m_options.is_suppressed(failure);
  };
  return std::count_if(m_run.failures.begin(), m_run.failures.end(), counts) >= m_options.keep_going;
}

std::string Exploration::isolation_reason(Session& session, const StatusCopy& status) const {
  const SelfCheck& check = session.memory()->check;
  std::string reason = status.reason;
  if (status.irreversible_call >= 0) {
    const std::string place = place_text(session.reader().stack(status.irreversible_stack));
    reason = "the test calls " + system_call_name(status.irreversible_call) +
             (place.empty() ? "" : " at " + place) + ", which a restore cannot take back";
  }
  if (read_restore_at_fault(check))
    reason += ": " + difference_text(read_self_check(check), session.reader());
  return reason;
}

// Where the first inconclusive execution stood, or the only one, which the end of the budget has ended.
std::string Exploration::stuck_text(Session& session, const StatusCopy& status) const {
  const bool only = m_run.schedules == 0 && !status.stuck_stack.empty();
  if (m_run.inconclusive.executions() == 0 && !only) return "";
  if (status.stuck_stack.empty()) return session.hang();
  const std::string place = place_text(session.reader().stack(status.stuck_stack));
  return "in thread " + std::to_string(status.stuck_thread) + (place.empty() ? "" : " at " + place) +
         (session.hang().empty() ? "" : ", which " + session.hang());
}

// The first one, if several workers have refuted the reduction.
void Exploration::gather_refutation(Session& session) {
  const AuditRecord audit = read_audit(session.memory()->audit);
  if (!audit.refuted || m_run.refuted) return;
  m_run.refuted = {.step = audit.step, .thread = audit.thread, .operation = "", .location = ""};
  if (audit.operation != Operation::none) m_run.refuted->operation = info(audit.operation).text;
  if (audit.pc != 0) m_run.refuted->location = place_text(session.reader().stack({audit.pc}));
}

void Exploration::gather_counts(Session& session) {
  const StatusCopy& status = m_statuses.emplace_back(read_status(session.memory()->status));
  Inconclusive& open = m_run.inconclusive;
  m_run.schedules += status.schedules;
  m_run.pruned += status.pruned;
  m_run.followed += status.followed;
  m_run.audited += status.audited;
  gather_refutation(session);
  open.step_limit += status.step_limited;
  open.watchdog += status.hung;
  open.memory_limit += status.memory_limited;
  open.livelock += status.livelocked;
  open.loops_cut += status.loops_cut;
  if (open.example.empty()) open.example = stuck_text(session, status);
  m_run.control.threads = std::max({1u, m_run.control.threads, status.max_threads});
  m_run.control.scheduling_points += status.points;
  if (status.isolation == IsolationMode::fork && m_run.control.isolation != "fork") {
    m_run.control.isolation = "fork";
    if (m_options.isolation != Isolation::fork)
      m_run.control.isolation_reason = isolation_reason(session, status);
  }
}

void Exploration::gather_counts() {
  while (m_gathered < m_sessions.size()) gather_counts(*m_sessions[m_gathered++]);
  if (m_run.control.isolation.empty()) m_run.control.isolation = "restore";
}

void Exploration::check_configurations() const {
  for (std::size_t i = 0; i < m_memories.size(); ++i) m_seals[i].check((*m_memories[i])->config);
}

// Where several workers look for one failure, the first in the order of exploration is reported. Under
// strategy auto, that is the first by turns.
void Exploration::gather_failures() {
  for (const Handed& handed : m_handed)
    m_run.failures[handed.failure].count += read_failure_count(handed.by->known, handed.slot);
  if (!m_first_of_frontier && !m_first_sample) return;
  const SearchLimit limit = read_limit((*m_memories.front())->search);
  const bool sample = !m_first_of_frontier ||
                      (m_first_sample && limit.sample != 0 && (!limit.set || limit.sample < limit.turn()));
  const First& first = sample ? *m_first_sample : *m_first_of_frontier;
  const std::uint64_t count = m_run.failures[first.index].count;
  m_run.failures = {first.failure};
  m_run.failures.front().count = count;
}

// The claims of the search. In a portfolio, those of the member that has come furthest.
void Exploration::gather_claims() {
  if (effect_of(all_gaps(m_run)) != GapEffect::told) return;
  const std::size_t searches = is_portfolio() ? m_memories.size() : 1;
  for (std::size_t i = 0; i < searches; ++i) {
    if (!m_statuses[i].ready) continue;
    const ControlBlock& control = **m_memories[i];
    const SearchConfig& config = m_configs[i].search;
    const SearchClaims claims =
        read_claims(row_of(config.strategy).samples(), config, control.search, control.frontier);
    m_run.exhausted = m_run.exhausted || claims.exhausted;
    if (claims.bound_completed && *claims.bound_completed >= m_run.bound_completed.value_or(0))
      m_run.bound_completed = *claims.bound_completed;
  }
}

// After the promoted accesses.
void Exploration::gather_profile() {
  if (m_options.learns && (m_run.learned = take_profile(**m_memories.front()))) {
    m_run.learned->modules = m_libraries;
    m_run.learned->promoted = m_run.promoted_accesses;
  }
  if (m_options.profile && m_run.rounds > 1)
    m_run.notes.push_back(
        "races were found that the profile does not know: from then on, samples have learned "
        "for themselves; remove its file to learn it anew");
}

void Exploration::conclude() {
  Session& session = *m_sessions.front();
  const ControlMemory& memory = session.memory();
  check_configurations();
  abandon_the_ended();
  if (!m_to_abandon.empty()) throw DamagedMemory("search", "its lock is not given back");
  for (const auto& one : m_sessions)
    if (const StatusCopy status = read_status(one->memory()->status); !status.ready && status.forked)
      one->await_left_behind();
  gather_counts();
  gather_failures();
  gather_gaps();
  gather_claims();
  std::uint64_t restarts = m_restarts;
  for (const StatusCopy& status : m_statuses) restarts += status.restarted;
  if (restarts != 0)
    m_run.notes.push_back(std::to_string(restarts) +
                          " processes were killed from outside and started again: nothing was lost");
  if (const Hurry hurry = memory->status.hurry.load(); hurry == Hurry::given_way || hurry == Hurry::a_few)
    m_run.notes.push_back(
        "the first execution had not come to its end " +
        (hurry == Hurry::given_way
             ? std::string(m_options.others_are_long ? "in three quarters" : "in half") + " of its time"
             : "after " + std::to_string(m_options.gives_way_after) + " steps") +
        ": all have been cut off after " + std::to_string(m_options.max_steps) +
        " steps; --max-steps N sets another limit");
  const PromotedCopy promoted = read_promoted(memory->promoted);
  m_run.promoted_accesses = promoted_accesses(promoted.pcs, session);
  m_run.promoted = static_cast<unsigned>(m_run.promoted_accesses.size());
  if (addresses_come_again(promoted.pcs))
    m_run.notes.emplace_back(
        "a compare-exchange expected the address of a freed block: from then on, malloc could give it again");
  if (session.not_promoted() != 0)
    m_run.notes.push_back(std::to_string(session.not_promoted()) +
                          " accesses of --promote-from are not in this test: it is of another build");
  m_run.rounds = promoted.rounds + 1;
  if (m_sessions.size() == 1 && promoted.earlier != 0 && m_run.schedules >= promoted.earlier)
    m_run.schedules_in_round = m_run.schedules - promoted.earlier;
  gather_profile();
  for (const MappedModule& module : session.modules()) m_run.modules.push_back(module.path);
  std::set<std::string> dormant = session.dormant_libraries();
  for (const auto& one : m_sessions)
    for (const std::string& path : one->entered_libraries()) dormant.erase(path);
  describe_uninstrumented(m_run.control, session.modules(), read_operation_counts(memory->operations),
                          m_statuses.front().schedules, dormant);
  const bool told = !m_run.sampled; // by gather_gaps_of_code()
  if (const std::string remedy = remedy_for_libraries(
          m_run.control, m_run.binary, told ? session.unseen_code().plain : std::vector<std::string>());
      !remedy.empty())
    m_run.notes.push_back(remedy);
  for (const auto& one : m_sessions) confirm_races(*one);
  m_run.ended = end_reason();
  gather_imunit();
  if (m_options.collect_outcomes)
    for (const auto& one : m_sessions) take_outcomes(*one);
  for (std::size_t i = 0; i < m_sessions.size(); ++i)
    if (!m_run.error) explain_error(*m_sessions[i], m_statuses[i]);
}

namespace {

// The runtime's reason why it does not begin (worker/init.cpp), without the end of the line; "": it has
// begun.
std::string words_of_runtime(const std::string& standard_error) {
  if (!standard_error.starts_with("libreex_rt.so: ")) return "";
  return standard_error.substr(0, standard_error.find('\n'));
}

} // namespace

// What went wrong in the worker's test process, if anything did.
void Exploration::explain_error(Session& session, const StatusCopy& status) {
  const ControlMemory& memory = session.memory();
  const auto end = [this](EndReason ended, ErrorKind kind, const std::string& text) {
    m_run.ended = ended;
    m_run.error = {kind, text};
  };
  if (status.refused) {
    end(EndReason::refused, ErrorKind::uncontrolled, status.refusal);
    m_run.failures.clear();
    return;
  }
  if (!status.ready) {
    // Nothing was controlled: the test has created no thread, or has ended before it did.
    if (m_interrupted) return;
    if (session.stopped())
      return add_gap("no-thread", "the test had not created its first thread when its time was up",
                     "give more --budget, or look at what it does until then: it may wait for ever by itself",
                     GapEffect::verdict);
    const int wait_status = session.process().wait_status();
    const ErrorKind otherwise = status.forked ? ErrorKind::no_threads : ErrorKind::uncontrolled;
    const std::string when = status.forked
                                 ? " and created no thread, only processes: there are no threads to control"
                                 : " before it created a thread";
    if (status.finish == Finish::unsupported)
      end(EndReason::refused, ErrorKind::uncontrolled, status.reason);
    else if (status.finish == Finish::error)
      end_unstarted(status.reason, otherwise);
    else if (WIFSIGNALED(wait_status))
      end_unstarted("the test was ended by signal " + std::to_string(WTERMSIG(wait_status)) + when,
                    otherwise);
    else if (const std::string said = words_of_runtime(session.process().standard_error()); !said.empty())
      end(EndReason::error, ErrorKind::internal, said);
    else if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) != 0)
      end_unstarted("the test ended with exit status " + std::to_string(WEXITSTATUS(wait_status)) + when,
                    otherwise);
    else
      end(EndReason::not_started, ErrorKind::no_threads, "");
  } else if (status.finish == Finish::unsupported) {
    end(EndReason::refused, ErrorKind::uncontrolled, status.reason);
  } else if (status.finish == Finish::nondeterministic) {
    end(EndReason::nondeterministic, ErrorKind::uncontrolled,
        "the test is not deterministic: its first schedule, executed twice, differed at " +
            difference_text(read_self_check(memory->check), session.reader()) + k_uncontrolled);
  } else if (m_run.ended == EndReason::error &&
             (status.finish == Finish::error || status.finish == Finish::none)) {
    if (const EndingCopy ending = read_ending(memory->ending); ending.end == End::diverged)
      end(EndReason::nondeterministic, ErrorKind::uncontrolled,
          "the test is not deterministic: the same choices led to another execution (step " +
              std::to_string(ending.value) + ")" + k_uncontrolled);
    else
      end(EndReason::error, ErrorKind::internal,
          !status.reason.empty() ? status.reason
          : session.is_stuck()   ? "the test process made no progress for too long, and was ended"
                                 : "the test process ended unexpectedly");
  }
}

} // namespace reex
