// One exploration under way: the sessions of its workers, and what they have reported so far. The class is
// private to explore().
//
// explore.cpp starts the workers, serves them, and ends the exploration. take_report.cpp takes in each report
// of a worker. gather.cpp sums up, at the end, what the control blocks contain; gaps.cpp says what was not
// seen. damage.cpp ends it if the test has overwritten a control block.
//
// Callers: one thread of the parent process; one call of run() for each object.
//
// Invariants:
// - m_memories, m_sessions and m_last_report have one element for each worker, in the same order.
// - Without a portfolio, the search, the frontier, the seen states and the promoted accesses of all workers
//   are those of the first control block (docs/semantics.md: "Workers"). In a portfolio, each worker has its
//   own search.
// - Each report of a worker is taken once: m_last_report has the serial number of the last one.
//
// Errors: run() throws ResumeError and ScheduleFileError. It turns a std::system_error, for example of a test
// that cannot be started, into an error of the run.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reex/explorer/explore.h"
#include "reex/explorer/report_store.h"
#include "reex/process/session.h"
#include "reex/records/config.h"
#include "reex/records/damaged_memory.h"
#include "reex/records/report.h"
#include "reex/records/status.h"
#include "reex/run/options.h"
#include "reex/schedules/schedule_writer.h"
#include "reex/search/search.h"

namespace reex {

class Exploration {
public:
  Exploration(const ExploreOptions& options, Observer& observer) : m_options(options), m_observer(observer) {}

  TestRun run();
  // After run(): a long first execution gave way to a few others, and none of them failed.
  bool gave_way_in_vain() const;

private:
  void open_schedule_log();
  TestCommand command(unsigned worker) const;
  void start_workers();
  void begin(unsigned worker, std::uint64_t run);
  void remember(const StoredReport& report);
  void take_report(Session& session);
  void take_unfinished_report(Session& session);
  void take_report(Session& session, const ReportCopy& given);
  std::string keep_schedule(const std::function<std::string()>& path, const Schedule& how,
                            const ScheduleEnd& end);
  void note_promoted(ScheduleEnd& end, std::uint32_t count, Session& session) const;
  void keep_schedule(Session& session, const ReportCopy& report, const Schedule& how, Finding& finding);
  void take_findings(Session& session, const ReportCopy& report);
  void confirm_races(Session& session);
  bool comes_first(Session& session, const SchedulePosition& position) const;
  void note_first(std::size_t index, const Failure& failure);
  void take_failure(Session& session, const ReportCopy& report);
  void take_outcomes(Session& session);
  void conclude();
  void explain_error(Session& session, const StatusCopy& status);
  std::string isolation_reason(Session& session, const StatusCopy& status) const;
  std::string stuck_text(Session& session, const StatusCopy& status) const;
  void gather_counts();
  void gather_refutation(Session& session);
  void gather_counts(Session& session);
  void check_configurations() const;
  void note_the_binary();
  void check_libraries(const std::vector<MappedModule>& modules);
  void gather_profile();
  void end_early(EndReason ended, const RunError& error);
  void end_unstarted(const std::string& seen, ErrorKind otherwise = ErrorKind::uncontrolled);
  void end_damaged(const DamagedMemory& damage);
  void drop_state();
  bool any_started() const;
  void tell_what_is_left();
  void gather_failures();
  std::uint64_t samples_of_shard() const;
  bool is_bound_done() const;
  EndReason stop_reason() const;
  EndReason end_reason() const;
  bool are_iterations_done() const;
  bool failures_reached() const;
  bool is_portfolio() const { return !m_options.portfolio.empty(); }
  ControlBlock& shared_of(Session& session) const; // the block that contains the session's search
  void add_gap(const char* kind, const std::string& detail, const std::string& remedy,
               GapEffect effect = GapEffect::told);
  void gather_gaps_of_races();
  void gather_gaps_of_code();
  void gather_gaps_of_reduction();
  std::string example_among(const std::set<std::uint64_t>& places) const;
  void gather_gaps_of_tests();
  void gather_gaps_of_iterations();
  void gather_gaps();
  void gather_imunit();
  void gather_claims();
  Progress progress() const;
  void settle();
  bool is_deep_enough();
  bool is_race_enough();
  bool has_shown_failure() const;
  bool is_turn_of_few_over();
  bool is_time_to_stop();
  void hurry_the_first();
  bool is_time_up() const;
  void forget_earlier_state() const;
  bool somebody_is_complete() const;
  void after_end(Session& session);
  bool may_start_again(Session& session) const;
  void abandon(Session& session);
  void abandon_the_ended();
  unsigned index_of(const Session& session) const;
  unsigned search_index(const Session& session) const; // of the worker in its search
  double seconds() const {
    return m_seconds_before +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

  const ExploreOptions& m_options;
  Observer& m_observer;
  std::vector<std::unique_ptr<ControlMemory>> m_memories; // one for each worker; the first has the search
  std::vector<RunConfig> m_configs;                       // what the parent has written into each
  std::vector<ConfigSeal> m_seals;
  std::vector<std::string> m_modules; // a digest of each test's modules; "" until they are known
  std::string m_libraries;            // a digest of those that the test has loaded, if it matters
  std::vector<std::unique_ptr<Session>> m_sessions;
  std::vector<StatusCopy> m_statuses; // at the end, in the order of the sessions, as far as they were read
  std::size_t m_gathered = 0;         // sessions whose status was asked for
  unsigned m_reports_taken = 0;
  std::vector<unsigned> m_to_abandon;       // workers for whose execution the others still wait
  std::optional<ReportStore> m_reports;     // set if a later run can continue from this one
  std::vector<std::uint32_t> m_last_report; // for each worker, the serial number of its last taken report
  std::uint64_t m_restarts = 0;             // of whole test processes
  TestRun m_run;
  using Clock = std::chrono::steady_clock;
  Clock::time_point end_of_first() const; // there is a deadline
  bool has_gone_on(Clock::time_point since) const;
  Clock::time_point m_start = Clock::now();
  double m_seconds_before = 0; // the time used by the run that this one continues
  int m_log = -1;
  bool m_binary_noted = false; // for later runs
  bool m_interrupted = false;
  std::optional<Clock::time_point>
      m_deeper_since; // when the bound was done, and the search went on beyond it
  bool m_deep_enough = false;
  bool m_turn_is_over = false; // of the few that go before a long first execution
  bool m_settled = false;
  std::optional<Clock::time_point> m_settled_since;
  bool m_race_is_enough = false;
  std::size_t m_asked = 0; // findings that settle() has asked of
  // A failure that a worker has reported.
  struct Handed {
    const ControlBlock* by;
    std::uint32_t slot;  // its index in `by->known`
    std::size_t failure; // its index in m_run.failures
  };
  std::vector<Handed> m_handed;
  // If several workers look for one failure: the one that is first in the order of exploration, of those that
  // the frontier has led to and of those that were samples.
  struct First {
    std::size_t index; // in m_run.failures
    Failure failure;
  };
  std::optional<First> m_first_of_frontier;
  std::optional<First> m_first_sample;
  std::size_t m_saved_outcomes = 0;
};

} // namespace reex
