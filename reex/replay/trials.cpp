#include "reex/replay/trials.h"
#include "reex/explorer/configure.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "reex/process/machine.h"
#include "reex/process/promoted_accesses.h"
#include "reex/records/config.h"
#include "reex/records/findings.h"
#include "reex/records/schedules.h"
#include "reex/records/search.h"
#include "reex/records/status.h"
#include "reex/records/trace.h"
#include "reex/run/finding_kinds.h"
#include "reex/trace/verdict.h"

namespace reex {
namespace {

constexpr unsigned k_most_repeats = 12; // of one schedule

void configure(ControlBlock& control, const TrialSetup& setup) {
  const ScheduleFile& file = setup.file;
  RunConfig& config = control.config;
  config.task = Task::replay;
  config.accesses = visible_accesses(file.accesses);
  config.promotes = setup.find_races && file.accesses == Accesses::racy;
  config.races = config.promotes || row_of_failure(file.failure_kind) != nullptr;
  config.framework = file.framework;
  config.timeouts = file.timeouts;
  config.sleeps_any = file.sleeps_any;
  config.spurious = file.spurious;
  config.reuse = file.reuse;
  config.code_is_entered = file.code_is_entered;
  config.max_steps = file.max_steps == 0 ? 20000 : file.max_steps;
  config.slice = file.slice;
  config.patience = file.patience;
}

void plan_recorded(ControlBlock& control, const std::vector<Decision>& decisions) {
  control.guide.follow = false;
  control.saved.count = static_cast<std::uint32_t>(std::min<std::size_t>(decisions.size(), k_max_decisions));
  for (std::uint32_t i = 0; i < control.saved.count; ++i) control.saved.list[i] = choice_of(decisions[i]);
}

void plan_turns(ControlBlock& control, const Turns& turns) {
  control.saved.count = 0;
  control.guide.follow = true;
  control.guide.count = static_cast<std::uint32_t>(std::min<std::size_t>(turns.size(), k_max_turns));
  std::copy_n(turns.begin(), control.guide.count, control.guide.list);
}

std::vector<CodeAddress> places_of(const std::vector<PromotedAccess>& promoted) {
  std::vector<CodeAddress> places;
  for (const PromotedAccess& access : promoted) places.push_back({access.module, access.offset});
  return places;
}

} // namespace

Trial::Trial(const ScheduleFile& file, const ControlMemory& memory, Session& session)
    : m_file(file), m_memory(memory), m_session(session),
      m_report(read_report(memory->failure, memory->outcomes, &*memory, memory.descriptor())) {}

unsigned Trial::preemptions() const { return read_execution(m_memory->own).preemptions; }

std::optional<int> Trial::exit() const {
  if (ending().end != End::exited) return {};
  return ending().value;
}

// The finding that the file is about; nullopt if this execution did not show it.
std::optional<Finding> Trial::shown() const {
  if (row_of_failure(m_file.failure_kind) == nullptr) return {};
  std::optional<Finding> best;
  for (const FindingRecord& record : read_shown_findings(m_memory->findings)) {
    if (!is_reported(record.kind)) continue;
    Finding finding = m_session.reader().finding(record, m_file.test_name);
    if (finding.key != m_file.failure_key) continue;
    if (lines_of(finding.where) == m_file.places) return finding;
    if (!best) best = std::move(finding); // other lines of the same functions, as in another build
  }
  return best;
}

bool Trial::lacks_stacks() const {
  if (!ended() || row_of_failure(m_file.failure_kind) == nullptr) return false;
  const std::vector<FindingRecord> seen = read_shown_findings(m_memory->findings);
  return std::any_of(seen.begin(), seen.end(), [](const FindingRecord& record) { return !record.captured; });
}

std::string Trial::failure_kind() const {
  if (shown()) return m_file.failure_kind;
  return reex::failure_kind(ending().end, ending().value, m_file.framework, standard_output());
}

std::string Trial::failure_key() const {
  if (shown()) return m_file.failure_key;
  Failure failure;
  failure.kind = failure_kind();
  if (failure.kind.empty()) return "";
  failure.where = m_session.reader().positions(read_trace(m_memory->trace), ending());
  failure.message = failure_message(failure.kind, ending(), {standard_output(), ""}, failure.where);
  return stable_key(failure, m_file.binary, m_file.test_name);
}

Turns Trial::turns() const { return read_turns(m_memory->guide); }

std::vector<Decision> Trial::decisions() const {
  const std::vector<Choice> choices =
      read_choices(m_memory->plan.list, read_execution(m_memory->own).decisions);
  std::vector<Decision> decisions = decisions_of(choices);
  place_decisions(decisions, choices, turns());
  return decisions;
}

std::vector<TraceStep> Trial::steps(unsigned frames) const {
  return m_session.reader().steps(read_trace(m_memory->trace), frames);
}

std::vector<PromotedAccess> Trial::promoted() const {
  return promoted_accesses(read_promoted(m_memory->promoted).pcs, m_session);
}

bool Trial::promotes_more() const {
  const FindingCounts findings = read_finding_counts(m_memory->findings);
  return read_config(m_memory->config).promotes && findings.handed < findings.count;
}

Failure Trial::failure() const {
  Failure failure;
  const TraceCopy trace = read_trace(m_memory->trace);
  failure.how.trace = m_session.reader().steps(trace);
  failure.how.length = trace.length;
  failure.how.decisions = decisions();
  failure.how.preemptions = preemptions();
  failure.how.times_passed = ending().times_passed;
  failure.how.patience = m_file.patience;
  failure.stdout_text = standard_output();
  failure.stderr_text = standard_error();
  if (std::optional<Finding> finding = shown()) {
    failure.kind = m_file.failure_kind;
    failure.key = finding->key;
    failure.message = finding->message;
    failure.where = std::move(finding->where);
    return failure;
  }
  failure.kind = failure_kind();
  if (failure.kind.empty()) return failure;
  failure.where = m_session.reader().positions(read_trace(m_memory->trace), ending());
  failure.memory = m_session.reader().memory(read_trace(m_memory->trace));
  failure.message =
      failure_message(failure.kind, ending(), {failure.stdout_text, failure.stderr_text}, failure.where);
  failure.key = stable_key(failure, m_file.binary, m_file.test_name);
  return failure;
}

std::string run_trials(const TrialSetup& setup, const std::optional<Turns>& first,
                       const std::function<std::optional<Turns>(const Trial&)>& next) {
  const ScheduleFile& file = setup.file;
  ControlMemory memory;
  ControlBlock& control = *memory;
  configure(control, setup);
  if (first)
    plan_turns(control, *first);
  else
    plan_recorded(control, file.decisions);
  const ConfigSeal seal(control.config);
  if (setup.debugger) control.debugger.store(Debugger::wanted);
  bool any = false;
  unsigned repeats = 0;
  try {
    Session session(memory,
                    {.binary = file.binary,
                     .arguments = file.arguments,
                     .runtime = setup.runtime,
                     .working_directory = setup.working_directory,
                     .control_descriptor = memory.descriptor(),
                     .log_descriptor = -1},
                    setup.frame_bits, setup.hang_after);
    if (!setup.find_races) session.promote(places_of(file.promoted), session.memory());
    const auto tick = [&] {
      seal.check(control.config);
      if (!setup.debugger || control.debugger.load() != Debugger::waited_for) return;
      if (const std::optional<pid_t> worker = session.worker(); worker) setup.debugger(*worker);
      session.process().kill();
    };
    Session::serve({&session}, {.tick = tick,
                                .failure =
                                    [&](Session&) {
                                      any = true;
                                      const Trial trial(file, memory, session);
                                      control.outcomes.text_used = 0;
                                      // The plan stands as it was: the same execution is made again.
                                      if (trial.lacks_stacks() && repeats++ < k_most_repeats) return;
                                      repeats = 0;
                                      const std::optional<Turns> turns = next(trial);
                                      if (turns)
                                        plan_turns(control, *turns);
                                      else
                                        control.status.stop.store(1);
                                    },
                                .ended = {},
                                .stop = {}});
  } catch (const std::system_error& error) {
    if (!remedy_for(error.code()).empty()) throw MachineError(with_remedy(error));
    return error.what();
  }
  if (any) return "";
  const StatusCopy status = read_status(control.status);
  if (status.refused) return status.refusal;
  if (!status.reason.empty()) return status.reason;
  return status.ready ? "the execution did not come to an end" : std::string(k_created_no_thread);
}

} // namespace reex
