#include "reex/explorer/exploration.h"

#include <algorithm>
#include <set>

#include "reex/explorer/left.h"
#include "reex/process/promoted_accesses.h"
#include "reex/process/system_calls.h"
#include "reex/trace/difference.h"
#include "reex/trace/uninstrumented.h"

namespace reex {

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

} // namespace reex
