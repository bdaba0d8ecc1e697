#include "reex/explorer/exploration.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "reex/process/promoted_accesses.h"
#include "reex/records/findings.h"
#include "reex/records/outcomes.h"
#include "reex/records/schedules.h"
#include "reex/records/search.h"
#include "reex/records/trace.h"
#include "reex/run/finding_kinds.h"
#include "reex/schedules/schedule_file.h"
#include "reex/schedules/schedule_writer.h"
#include "reex/trace/difference.h"
#include "reex/trace/uninstrumented.h"
#include "reex/trace/unseen_code.h"
#include "reex/trace/verdict.h"

namespace reex {
namespace {

// A race inside the standard library that is no error of the test. In libstdc++ 12 a bit guards the pointer
// of an atomic<shared_ptr>, and a load releases that bit with a relaxed operation. ctype<char>::narrow keeps
// its answers, which are the same for all threads, in plain bytes; std::regex calls it.
bool is_of_the_library(const Finding& finding) {
  return std::any_of(finding.where.begin(), finding.where.end(), [](const ThreadPosition& side) {
    if (side.stack.empty()) return false;
    const Frame& innermost = side.stack.front();
    return innermost.file.ends_with("/bits/shared_ptr_atomic.h") ||
           (innermost.file.ends_with("/bits/locale_facets.h") &&
            innermost.function.starts_with("std::ctype<char>::narrow("));
  });
}

// What OpenMP's runtime does by itself: the threads of its pools end with the process, and a team may be
// freed before the last member has woken another one there.
bool is_of_openmp(const Finding& finding) {
  if (finding.kind == "data-race" || finding.where.empty()) return false;
  const auto& stack = finding.where.front().stack;
  const auto caller = std::find_if(stack.begin(), stack.end(),
                                   [](const Frame& frame) { return !is_of_the_language(frame.module); });
  return caller != stack.end() && caller->module.find("/libgomp.so") != std::string::npos;
}

// A list that compares as the schedule's place in the order of exploration does. Of two schedules, the first
// is the one that has the default choice, or else the smaller rank, at the first choice where they differ.
std::vector<std::uint64_t> order_of(const SchedulePosition& position, const std::vector<Choice>& taken,
                                    std::uint64_t round) {
  if (position.sample != 0) return {position.turn != 0 ? position.turn : position.sample};
  std::vector<std::uint64_t> order;
  if (position.turn != 0) order.push_back(position.turn);
  order.insert(order.end(), {round, position.iteration, position.level, position.shuffled});
  for (std::uint32_t i = 0; i < position.planned && i < taken.size(); ++i) {
    order.push_back(k_no_bound - taken[i].point);
    order.push_back(taken[i].rank);
  }
  return order;
}

std::uint64_t in_round(std::uint64_t schedule, const PromotedCopy& promoted) {
  return promoted.earlier != 0 && schedule > promoted.earlier ? schedule - promoted.earlier : 0;
}

bool is_sample(const std::vector<std::uint64_t>& order) { return order.size() == 1; }

// How a failure ended first, and how when it was executed once more, where the threads stood at `where`.
std::string difference_of(const ReportCopy& report, const std::vector<ThreadPosition>& where) {
  const auto text = [](const EndingCopy& ending) {
    if (ending.end == End::diverged) return "it went another way (step " + std::to_string(ending.value) + ")";
    const std::string message = ending.message.substr(0, ending.message.find('\n'));
    return ending_text(ending.end, ending.value) + (message.empty() ? "" : " (" + message + ")");
  };
  const std::string place = where.empty() ? "" : place_text(where.front().stack);
  return "schedule " + std::to_string(report.schedule) + " ended in different ways: first " +
         text(report.ending) + ", and when it was executed once more, " + text(report.replayed) +
         (place.empty() ? "" : " in thread " + std::to_string(where.front().thread) + " at " + place);
}

} // namespace

// Where several workers look for one failure: no failure known so far comes before this one in the order of
// exploration. One that does is reported later.
bool Exploration::comes_first(Session& session, const SchedulePosition& position) const {
  if (m_sessions.size() == 1 || is_portfolio() || m_options.keep_going != 1 || m_options.is_suppressed)
    return false;
  const SearchLimit limit = read_limit(shared_of(session).search);
  if (limit.ends_round) return false;
  if (position.sample == 0) return limit.set && limit.worker == index_of(session);
  return limit.sample != 0 && limit.sampling_worker == index_of(session);
}

void Exploration::note_first(std::size_t index, const Failure& failure) {
  (is_sample(failure.order) ? m_first_sample : m_first_of_frontier) = {index, failure};
}

void Exploration::take_failure(Session& session, const ReportCopy& report) {
  ControlMemory& memory = session.memory();
  const CapturedOutput output{report.standard_output, report.standard_error};
  // The trace is that of the second execution, and so is the failure.
  const EndingCopy& ending = report.repeated || !report.detailed ? report.ending : report.replayed;
  const TraceCopy trace = read_trace(memory->trace);
  const DecisionsCopy taken = read_decisions(memory->saved);
  if (!report.detailed) {
    add_gap("not-repeated",
            "schedule " + std::to_string(report.schedule) + " ended so: " +
                ending_text(ending.end, ending.value) + ", and there was no time to execute it once more",
            "give a larger --budget", GapEffect::verdict);
    return;
  }
  Failure failure;
  failure.how.trace = session.reader().steps(trace);
  failure.how.length = trace.length;
  failure.how.decisions = decisions_of(taken.list);
  place_decisions(failure.how.decisions, taken.list, read_turns(memory->guide));
  failure.how.preemptions = taken.preemptions;
  failure.how.times_passed = ending.times_passed;
  failure.how.patience = ending.patience;
  failure.how.limit = ending.limit;
  failure.where = session.reader().positions(trace, ending);
  failure.memory = session.reader().memory(trace);
  failure.kind = failure_kind(ending.end, ending.value, m_options.framework, output.standard_output);
  if (failure.kind.empty()) {
    add_gap("not-repeated", difference_of(report, failure.where),
            "take out what reex does not control (docs: what is the same in every execution)",
            GapEffect::verdict);
    return;
  }
  failure.message = failure_message(failure.kind, ending, output, failure.where);
  failure.key = stable_key(failure, m_run.binary, m_options.test_name);
  failure.schedule = report.schedule;
  const PromotedCopy promoted = read_promoted(shared_of(session).promoted);
  failure.schedule_in_round = in_round(report.schedule, promoted);
  failure.order = order_of(report.position, taken.list, promoted.rounds);
  failure.stdout_text = output.standard_output;
  failure.stderr_text = output.standard_error;
  if (!report.repeated)
    m_run.notes.push_back(difference_of(report, failure.where) +
                          ": the test depends on something that reex does not control");
  const auto same = std::find_if(m_run.failures.begin(), m_run.failures.end(),
                                 [&](const Failure& known) { return known.key == failure.key; });
  const bool known = same != m_run.failures.end();
  const auto index = static_cast<std::size_t>(same - m_run.failures.begin());
  const bool first = comes_first(session, report.position);
  ScheduleEnd end{.failure_kind = failure.kind,
                  .failure_key = failure.key,
                  .message = failure.message,
                  .exit = {},
                  .standard_output = output.standard_output,
                  .promoted = {},
                  .where = failure.where};
  note_promoted(end, report.promoted, session);
  if (ending.end == End::exited) end.exit = ending.value;
  // From here on the failure is known, whatever becomes of its schedule.
  if (!known) m_run.failures.push_back(failure);
  m_handed.push_back({&*memory, report.index, index});
  if (known && !first) return;
  if (!m_options.failures_directory.empty())
    failure.replay =
        keep_schedule([&] { return schedule_path(m_options.failures_directory, m_run.binary, failure.key); },
                      failure.how, end);
  if (known)
    m_run.failures[index] = failure;
  else
    m_run.failures[index].replay = failure.replay;
  if (first) note_first(index, failure);
  if (known) return;
  for (std::size_t i = 0; i < m_options.portfolio.size(); ++i)
    if (&*m_memories[i] == &memory)
      m_run.notes.push_back("failure " + failure.key + " was found by " + m_options.portfolio[i].name);
  if (!m_options.is_suppressed || !m_options.is_suppressed(failure)) m_observer.failure(failure);
}

// The path of the schedule; "", with a note, if it cannot be written: what it shows is known, and is
// reported.
std::string Exploration::keep_schedule(const std::function<std::string()>& path, const Schedule& how,
                                       const ScheduleEnd& end) {
  std::string why;
  try {
    std::string written = path();
    save_schedule(written, m_options, m_run, how, end);
    return written;
  } catch (const ScheduleFileError& error) {
    why = error.what();
  } catch (const std::system_error& error) {
    why = error.what();
  }
  const std::string what = end.failure_key.empty() ? "an outcome" : "failure " + end.failure_key;
  m_run.notes.push_back(what + " cannot be replayed: " + why);
  return "";
}

// The schedule file of a finding. Two findings with the same key are at different lines.
void Exploration::keep_schedule(Session& session, const ReportCopy& report, const Schedule& how,
                                Finding& finding) {
  const auto same = std::count_if(m_run.findings.begin(), m_run.findings.end(),
                                  [&](const Finding& known) { return known.key == finding.key; });
  const std::string name = finding.key + (same == 0 ? "" : "-" + std::to_string(same + 1));
  ScheduleEnd end{.failure_kind = std::string(row_of_finding(finding.kind)->failure),
                  .failure_key = finding.key,
                  .places = lines_of(finding.where),
                  .message = finding.message,
                  .exit = {},
                  .standard_output = report.standard_output,
                  .promoted = {}};
  note_promoted(end, report.promoted, session);
  const EndingCopy& ending = report.detailed ? report.replayed : report.ending;
  if (ending.end == End::exited) end.exit = ending.value;
  finding.replay = keep_schedule(
      [&] { return schedule_path(m_options.failures_directory, m_run.binary, name); }, how, end);
}

// The first `count` that were promoted: its choice points depend on them.
void Exploration::note_promoted(ScheduleEnd& end, std::uint32_t count, Session& session) const {
  const std::vector<std::uint64_t> pcs = read_promoted(shared_of(session).promoted, count);
  end.promoted = promoted_accesses(pcs, session);
  end.reuse = addresses_come_again(pcs);
  end.code_is_entered = code_is_entered(pcs) || m_configs.front().code_is_entered;
}

// Of a longer execution with several findings, only the first schedule file has the steps: they would be tens
// of megabytes in each.
constexpr std::size_t k_most_steps_in_each = 100000;

void Exploration::take_findings(Session& session, const ReportCopy& report) {
  const ControlMemory& memory = session.memory();
  const std::vector<FindingRecord> fresh = read_new_findings(memory->findings);
  if (fresh.empty()) return;
  const TraceCopy trace = report.detailed ? read_trace(memory->trace) : TraceCopy{};
  const DecisionsCopy taken = read_decisions(memory->saved);
  const PromotedCopy promoted = read_promoted(shared_of(session).promoted);
  Schedule choices;
  choices.decisions = decisions_of(taken.list);
  if (report.detailed) place_decisions(choices.decisions, taken.list, read_turns(memory->guide));
  choices.preemptions = taken.preemptions;
  const auto how = std::make_shared<const Schedule>(std::move(choices));
  std::optional<Schedule> with_steps; // costs much in a long execution
  for (const FindingRecord& record : fresh) {
    if (!is_reported(record.kind)) continue;
    Finding finding =
        session.reader().finding(record, m_options.test_name, report.detailed ? &trace : nullptr);
    if (is_of_the_library(finding) || is_of_openmp(finding)) continue;
    if (std::any_of(m_run.findings.begin(), m_run.findings.end(),
                    [&](const Finding& known) { return same_place(known, finding); }))
      continue;
    finding.how = how;
    finding.schedule_in_round = in_round(finding.schedule, promoted);
    finding.order = order_of(report.position, taken.list, promoted.rounds);
    if (!m_options.failures_directory.empty() && m_options.keeps_schedule &&
        m_options.keeps_schedule(finding)) {
      if (!with_steps) {
        with_steps = *how;
        with_steps->trace = session.reader().steps(trace);
        with_steps->length = trace.length;
      }
      keep_schedule(session, report, *with_steps, finding);
      if (with_steps->trace.size() > k_most_steps_in_each) with_steps->trace.clear();
    }
    if (!report.detailed)
      m_run.notes.push_back("finding " + finding.key +
                            " has no stacks: the time was over before they were looked for" +
                            (finding.replay.empty() ? "" : "; its schedule shows them"));
    // Behind the schedule, which is needed if two threads are met before the accesses (confirm_races).
    const bool certain = record.certain || session.unseen_code().hides_no_order();
    finding.may_be_ordered = finding.kind == "data-race" && !certain &&
                             (read_unseen_code(memory->status) || !session.unseen_code().empty());
    if (finding.may_be_ordered) finding.reason = unseen_order_reason(session.unseen_code());
    m_run.findings.push_back(std::move(finding));
  }
}

// A race that code without hooks may have ordered has shown itself in another execution where it has not.
void Exploration::confirm_races(Session& session) {
  if (std::none_of(m_run.findings.begin(), m_run.findings.end(),
                   [](const Finding& finding) { return finding.may_be_ordered; }))
    return;
  for (const FindingRecord& record : read_certain_races(session.memory()->findings)) {
    const Finding certain = session.reader().finding(record, m_options.test_name, nullptr);
    for (Finding& finding : m_run.findings) {
      if (!finding.may_be_ordered || !same_place(finding, certain)) continue;
      finding.may_be_ordered = false;
      finding.reason.clear();
    }
  }
}

void Exploration::take_report(Session& session) {
  const ControlMemory& memory = session.memory();
  take_report(session, read_report(memory->failure, memory->outcomes, &*memory, memory.descriptor()));
}

// The processes have ended, and an execution was to be executed again in detail: the time was over. What it
// found is known all the same.
void Exploration::take_unfinished_report(Session& session) {
  const ControlMemory& memory = session.memory();
  if (!read_report_due(memory->failure)) return;
  ReportCopy given = read_report(memory->failure, memory->outcomes, &*memory, memory.descriptor());
  given.detailed = read_report_state(memory->failure);
  if (!given.detailed) given.standard_output = given.standard_error = "";
  take_report(session, given);
}

void Exploration::take_report(Session& session, const ReportCopy& given) {
  constexpr unsigned k_most_reports = 1u << 16;
  const unsigned worker = index_of(session);
  if (given.serial == m_last_report[worker]) return; // taken before its processes were killed
  if (++m_reports_taken > k_most_reports) throw DamagedMemory("report", "there are too many of them");
  m_last_report[worker] = given.serial;
  const std::size_t failures = m_run.failures.size();
  const std::size_t findings = m_run.findings.size();
  const std::size_t notes = m_run.notes.size();
  const std::size_t gaps = m_run.gaps.size();
  take_findings(session, given);
  settle();
  if (given.failed) take_failure(session, given);
  if (!m_reports || !given.detailed) return; // a run that continues this one executes it in detail
  const auto since = [](const auto& list, std::size_t from) {
    return std::decay_t<decltype(list)>(list.begin() + static_cast<std::ptrdiff_t>(from), list.end());
  };
  StoredReport report{.worker = worker,
                      .serial = given.serial,
                      .slot = given.index,
                      .failure_key = "",
                      .first = false,
                      .failures = {},
                      .findings = {},
                      .how_of_findings = {},
                      .notes = since(m_run.notes, notes),
                      .gaps = since(m_run.gaps, gaps)};
  for (std::size_t i = findings; i < m_run.findings.size(); ++i) {
    report.findings.push_back(m_run.findings[i]);
    report.findings.back().how = nullptr;
  }
  if (!report.findings.empty()) report.how_of_findings = m_run.findings.back().how;
  if (given.failed && m_run.gaps.size() == gaps) {
    const Failure& failure = m_run.failures[m_handed.back().failure];
    report.failure_key = failure.key;
    const std::optional<First>& first = is_sample(failure.order) ? m_first_sample : m_first_of_frontier;
    report.first = first && first->index == m_handed.back().failure;
    if (m_run.failures.size() > failures || m_sessions.size() > 1) report.failures = {failure};
  }
  try {
    m_reports->append(report);
  } catch (const std::system_error& error) {
    m_run.notes.push_back(std::string("the run cannot be continued: ") + error.what());
    m_reports.reset();
    m_run.state_file.clear();
  }
}

// Takes in a report of the run that this one continues.
void Exploration::remember(const StoredReport& report) {
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
  for (Finding finding : report.findings) {
    finding.how = report.how_of_findings;
    m_run.findings.push_back(std::move(finding));
  }
  append(m_run.notes, report.notes);
  append(m_run.gaps, report.gaps);
  const auto failure = place_of(report.failure_key);
  if (failure == m_run.failures.end()) return;
  const auto index = static_cast<std::size_t>(failure - m_run.failures.begin());
  m_handed.push_back({&**m_memories[report.worker], report.slot, index});
  if (report.first) note_first(index, m_run.failures[index]);
}

void Exploration::take_outcomes(Session& session) {
  const ControlMemory& memory = session.memory();
  OutcomeReader outcomes(memory->outcomes, &*memory, memory.descriptor());
  constexpr std::size_t k_saved_outcomes = 256;
  const auto known = [&](const Outcome& outcome) {
    return std::find_if(m_run.outcomes.begin(), m_run.outcomes.end(), [&](const Outcome& other) {
      return other.stdout_bytes == outcome.stdout_bytes && other.exit == outcome.exit &&
             other.failure == outcome.failure;
    });
  };
  for (OutcomeCopy record; outcomes.next(record);) {
    Outcome outcome;
    outcome.stdout_bytes = std::move(record.text);
    if (record.end == End::exited) outcome.exit = record.value;
    outcome.failure = failure_kind(record.end, record.value, m_options.framework, outcome.stdout_bytes);
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
      Schedule how;
      how.decisions = decisions_of(record.choices);
      how.preemptions = record.preemptions;
      const std::filesystem::path directory =
          std::filesystem::path(m_options.failures_directory).parent_path() / "outcomes";
      const std::string path = (directory / (std::to_string(++m_saved_outcomes) + ".reex")).string();
      ScheduleEnd end{.failure_kind = outcome.failure,
                      .failure_key = "",
                      .places = {},
                      .message = "",
                      .exit = outcome.exit,
                      .standard_output = outcome.stdout_bytes,
                      .promoted = {}};
      note_promoted(end, record.promoted, session);
      outcome.replay = keep_schedule([&] { return path; }, how, end);
    }
    m_run.outcomes.push_back(std::move(outcome));
  }
  if (outcomes.overflow()) m_run.notes.push_back("there were more different outcomes than can be kept");
}

} // namespace reex
