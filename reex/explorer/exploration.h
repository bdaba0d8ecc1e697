// One exploration under way, in the parent: its workers' sessions and what they have reported so far. Private
// to explore(): explore.cpp starts and ends it, take_report.cpp takes in what the workers tell on the way,
// gather.cpp joins at the end what stands in their memories.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reex/explorer/explore.h"
#include "reex/explorer/report_store.h"
#include "reex/process/session.h"
#include "reex/run/options.h"
#include "reex/search/search.h"

namespace reex {

class Exploration {
public:
  Exploration(const ExploreOptions& options, Observer& observer) : m_options(options), m_observer(observer) {}

  TestRun run();

private:
  TestCommand command(unsigned worker) const;
  void start_workers();
  void begin(unsigned worker, std::uint64_t run);
  void remember(const StoredReport& report);
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
    return m_seconds_before +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

  const ExploreOptions& m_options;
  Observer& m_observer;
  std::vector<std::unique_ptr<ControlMemory>> m_memories; // of each worker; the first has the search
  std::vector<std::unique_ptr<Session>> m_sessions;
  std::optional<ReportStore> m_reports;     // of a run that can be gone on from
  std::vector<std::uint32_t> m_last_report; // serial of the last that was taken, of each worker
  std::uint64_t m_restarts = 0;             // of test processes
  TestRun m_run;
  using Clock = std::chrono::steady_clock;
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

} // namespace reex
