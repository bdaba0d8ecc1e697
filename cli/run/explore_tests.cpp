#include "cli/run/explore_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>

#include "cli/run/explore_changed.h"
#include "cli/run/explore_early.h"
#include "cli/run/explore_options.h"
#include "cli/run/run_observer.h"
#include "cli/run/run_plan.h"
#include "cli/run/test_turns.h"
#include "cli/run/turn_plan.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"
#include "cli/terminal/output.h"
#include "cli/verdict/judge_findings.h"
#include "cli/verdict/try_assumptions.h"
#include "cli/verdict/understand.h"
#include "heuristics/match_bits.h"
#include "impact/sources/compiler_options.h"
#include "reex/explorer/explore.h"
#include "reex/process/control_memory.h"
#include "reex/run/sha256.h"
#include "reex/run/verdict.h"
#include "report/failure_text.h"

namespace reex {
namespace {

FindingPolicy finding_policy(const ExploreTests& job, const ExploreOptions& explore) {
  FindingPolicy policy{.races = explore.races,
                       .strict = job.options.strict_findings,
                       .runtime = job.runtime,
                       .frame_bits = explore.frame_bits,
                       .base_has_shown = job.base_has_shown,
                       .base_binary = job.options.base_binary};
  if (job.change != nullptr)
    policy.follows = [matcher = &job.change->impact.matcher](const Frame& frame) {
      return matcher->follows(frame);
    };
  return policy;
}

// Where it is not known whether a race is of the change.
void say_what_is_unknown(const ExploreTests& job, FindingPolicy& policy) {
  policy.unjudged.clear();
  policy.remedy.clear();
  policy.unparsed.clear();
  if (job.change == nullptr) return;
  if (const std::string file = impact::file_of_compiler_options(job.change->impact.changes); !file.empty()) {
    policy.unjudged = file + " changes options of the compiler, which may have an impact on any line";
    policy.remedy = "--base-binary compares with a build of the base; --races fail lets all races count";
    return;
  }
  if (job.change->impact.no_cpp_changes) return;
  if (job.change->beside) {
    policy.unjudged = "its analysis took longer than the run";
    policy.remedy = "give a larger --budget, or --wait-for-impact";
  } else if (!job.binary.has_debug_info) {
    policy.unjudged = "the test has no debug information";
    policy.remedy = "build it with -g, and do not strip it";
  } else {
    policy.unparsed = job.change->impact.unparsed;
  }
}

// The promoted accesses of the test in a report.
std::vector<PromotedAccess> promoted_for(const std::string& test, const RunFile& report) {
  for (const TestRun& run : report.runs)
    if (run.name == test) return run.promoted_accesses;
  throw UsageError(fmt::format("--promote-from: {} has nothing on {}", report.name,
                               test_title(report.runs.front().binary, test)));
}

std::string identity_of(const ExploreTests& job, const std::string& test) {
  std::string identity = job.binary.path + '\n' + test;
  for (const std::string& argument : job.arguments) identity += '\n' + argument;
  return identity;
}

bool may_leave_tests_out(const ExploreTests& job) {
  return job.options.budget && job.tests.names.size() > 1 && job.options.by_option.count("filter") == 0;
}

std::string turns_of(const ExploreTests& job) {
  return turns_file(job.failures_folder, identity_of(job, "turns\n" + job.options.filter));
}

// A run that goes on begins with the tests that the one before has not begun.
std::vector<std::string> in_order(const ExploreTests& job) {
  std::vector<std::string> names = job.tests.names;
  if (!job.options.resume) return may_leave_tests_out(job) ? in_turns(turns_of(job), names) : names;
  const auto begun = std::stable_partition(names.begin(), names.end(), [&](const std::string& test) {
    const std::string state = state_file_of(job, test);
    return !has_state(state) && !has_state(state_of_lessons(state));
  });
  if (begun == names.end()) say("--resume: no run of this test was interrupted, so this one begins anew");
  return names;
}

// A test whose share of the budget is shorter than one execution would tell nothing. It has more, and the
// tests that are left have less. Without a budget, it has what it takes.
std::optional<Time> end_of_first(std::optional<Time> share, std::optional<Time> deadline, Time now) {
  constexpr std::chrono::seconds k_first{2};
  if (!share) return std::nullopt;
  return deadline ? std::min(*deadline, std::max(*share, now + k_first)) : Time::max();
}

// What was cut off is executed anew, with more time, and none of it counts: among samples, it is not known
// which were. What was found, a race of the change say, stays.
void forget_the_cut(TestRun& run) {
  Inconclusive& open = run.inconclusive;
  run.schedules = 0;
  open.step_limit = open.livelock = 0;
  if (open.executions() == 0) open.example.clear();
  run.bound_completed.reset();
}

} // namespace

std::string state_file_of(const ExploreTests& job, const std::string& test) {
  constexpr std::size_t k_digits = 16;
  return (std::filesystem::path(job.failures_folder).parent_path() / "runs" /
          (sha256_hex(identity_of(job, test)).substr(0, k_digits) + ".state"))
      .string();
}

std::vector<TestRun> probe_tests(const ExploreTests& job) {
  constexpr std::uint64_t k_executions = 256;
  constexpr std::chrono::seconds k_longest{2};
  ExploreOptions options = base_options(job);
  options.max_schedules = k_executions;
  options.keep_going = 0;
  options.failures_directory.clear();
  options.schedule_log.clear();
  options.collect_outcomes = false;
  Observer nobody;
  std::vector<TestRun> runs;
  for (const std::string& name : job.tests.names) {
    options.test_name = name;
    options.deadline = std::chrono::steady_clock::now() + k_longest;
    runs.push_back(explore(options, nobody));
  }
  return runs;
}

namespace {

// The tests of a binary, one after another. Many have no second thread, and end long before their share of
// the budget is used up. What they leave goes to those that had not come to their end, in further passes.
class TestPasses {
public:
  TestPasses(const ExploreTests& job, ProgressPrinter& progress,
             const std::function<void(const TestRun&)>& done)
      : m_job(job), m_progress(progress), m_done(done), m_options(base_options(job)),
        m_policy(finding_policy(job, m_options)), m_observer(progress, job.events), m_names(in_order(job)) {
    if (job.options.budget) { // an analysis that went before leaves half of it
      m_end = std::max(job.started + *job.options.budget,
                       std::chrono::steady_clock::now() + *job.options.budget / 2);
      m_for_trials = time_for_trials(m_options, *job.options.budget);
      m_deadline = *m_end - m_for_trials;
    }
    m_plan.emplace(m_names.size(), takes_turns(), m_deadline);
    note_what_takes_part();
    m_options.keeps_schedule = [this](const Finding& finding) {
      return may_fail(finding, m_policy) &&
             !(m_job.suppressions != nullptr && m_job.suppressions->covers(finding));
    };
    // A race of a test with a base binary may turn out to be old.
    m_options.settles = [this](const Finding& finding) {
      return m_policy.base_binary.empty() && m_options.keeps_schedule(finding);
    };
    if (job.suppressions != nullptr && !job.suppressions->empty())
      m_options.is_suppressed = [this](const Failure& failure) {
        return m_job.suppressions->covers(failure);
      };
  }

  std::vector<TestRun> run() {
    await_analysis(m_job, m_options);
    m_plan->begin(is_by_change());
    for (std::size_t i = 0; i < m_names.size() && !interruption_requested(); ++i) {
      m_runs.emplace_back();
      m_state_sizes.push_back(0);
      const bool goes_on = m_job.options.resume && has_state(state_file_of(m_job, m_names[i]));
      take_turn(i, m_plan->end_of_first_turn(m_names.size() - i), goes_on,
                [&] { return explore_with_change(m_job, m_options, m_observer, m_deadline); });
    }
    while (m_plan->goes_on() && !interruption_requested())
      m_plan->pass(!m_options.heuristic.empty(), [&](std::size_t index, Time end) {
        go_on(index, end);
        return !interruption_requested();
      });
    judge_again();
    for (const auto& [index, explored] : m_untold) {
      TestRun& run = m_runs[index];
      if (!m_deadline && run.ended == EndReason::budget) run.ended = EndReason::interrupted;
      tell(index);
    }
    if (may_leave_tests_out(m_job) && !interruption_requested()) keep_turns(turns_of(m_job), turns());
    return as_listed();
  }

private:
  struct Explored {
    TestRun run;      // before it was judged
    bool is_unjudged; // it is not known which of its races count
  };

  // Visible operations of every execution ask for the bits of their frames, where the change has an order.
  void note_what_takes_part() {
    if (!m_options.frame_bits) return;
    m_options.frame_bits = [this, bits_of = m_options.frame_bits](const Frame& frame) {
      constexpr std::uint8_t k_of_code = k_match_method | k_match_line | k_match_field;
      const std::uint8_t bits = bits_of(frame);
      m_has_seen_change = m_has_seen_change || (bits & k_of_code) != 0;
      return bits;
    };
  }

  bool takes_turns() const { return m_names.size() > 1 && m_options.portfolio.empty(); }

  // Whether it may turn out that the change takes part in some tests only.
  bool is_by_change() const {
    return m_job.change != nullptr && (!is_analysed(m_job) || !m_options.heuristic.empty());
  }

  std::vector<TestTurn> turns() const {
    std::vector<TestTurn> turns;
    for (std::size_t i = 0; i < m_names.size(); ++i) {
      const bool begun = i < m_runs.size() && m_runs[i].ended != EndReason::not_begun;
      const bool failed = begun && verdict_of(m_runs[i]) == Verdict::failed;
      turns.push_back({m_names[i], failed ? LastTurn::failed : begun ? LastTurn::had : LastTurn::waits});
    }
    return turns;
  }

  // The reports have the tests in the order of the binary.
  std::vector<TestRun> as_listed() {
    std::map<std::string, TestRun*> by_name;
    for (std::size_t i = 0; i < m_runs.size(); ++i) by_name[m_names[i]] = &m_runs[i];
    std::vector<TestRun> runs;
    for (const std::string& name : m_job.tests.names)
      if (const auto run = by_name.find(name); run != by_name.end()) runs.push_back(std::move(*run->second));
    return runs;
  }

  void take_turn(std::size_t index, std::optional<Time> end, bool resume,
                 const std::function<TestRun()>& explore) {
    const std::string& name = m_names[index];
    const Time now = std::chrono::steady_clock::now();
    m_options.test_name = name;
    m_options.promoted.clear();
    if (m_job.races) m_options.promoted = promoted_for(name, *m_job.races);
    m_options.state_file = state_file_of(m_job, name);
    m_options.resume = resume;
    m_options.deadline = end;
    m_options.deadline_ends_turn = end && !m_deadline;
    m_options.first_deadline = end_of_first(m_options.deadline, m_deadline, now);
    const std::size_t count = m_names.size();
    const std::string title = test_title(m_job.binary.path, name);
    if (!m_deadline || now < *m_deadline || resume)
      m_progress.start(count == 1 ? title : fmt::format("test {} of {}, {}", index + 1, count, title), now,
                       m_deadline ? m_options.deadline : std::nullopt);
    if (m_job.events != nullptr) m_job.events->begun(name, index, count);
    m_has_seen_change = false;
    TestRun explored = explore();
    if (m_has_seen_change || (!explored.heuristic.empty() && !resume)) m_plan->note(index, m_has_seen_change);
    m_progress.finish();
    if (count > 1) limit_states(index, explored);
    m_runs[index] = judged(explored);
    const bool passes = count > 1 && m_runs[index].failures.empty();
    const bool is_unjudged = passes && !is_analysed(m_job) && awaits_analysis(explored, m_options);
    const bool wants_more = passes && has_more(explored);
    if (wants_more) m_plan->wants_more(index, explored.ended == EndReason::budget);
    m_untold.erase(index);
    if (wants_more || is_unjudged)
      m_untold.emplace(index, Explored{std::move(explored), is_unjudged});
    else
      tell(index);
  }

  // Which races are of the change was not known when these tests had their turns.
  void judge_again() {
    const auto is_unjudged = [](const auto& one) { return one.second.is_unjudged; };
    if (std::none_of(m_untold.begin(), m_untold.end(), is_unjudged)) return;
    if (!is_analysed(m_job) && !complete_change_by(m_job, m_options, m_deadline.value_or(Time::max())))
      return;
    for (const auto& [index, explored] : m_untold)
      if (explored.is_unjudged) m_runs[index] = judged(explored.run);
  }

  TestRun judged(TestRun run) {
    if (m_job.suppressions != nullptr) m_job.suppressions->apply(run);
    const UnderstandOptions options{.runtime = m_job.runtime,
                                    .frame_bits = m_options.frame_bits,
                                    .heuristic = m_options.heuristic,
                                    .base_binary = m_job.options.base_binary};
    understand(run, options);
    say_what_is_unknown(m_job, m_policy);
    judge_findings(run, m_policy);
    reduce_races(run, options);
    return run;
  }

  // A first execution that makes a million choices leaves a state of hundreds of megabytes, and a binary may
  // have hundreds of such tests.
  void limit_states(std::size_t index, TestRun& run) {
    if (run.state_file.empty()) return;
    std::uintmax_t& size = m_state_sizes[index];
    m_state_bytes -= size;
    size = size_of_state(run.state_file);
    if (m_state_bytes + size > m_job.most_state) {
      remove_state(run.state_file);
      run.state_file.clear();
      size = 0;
    }
    m_state_bytes += size;
  }

  // What was kept for the trials is theirs, although a search may end somewhat after its deadline.
  void try_out(TestRun& run) {
    if (!m_end) return try_assumptions(run, m_options, std::nullopt);
    const Time began = std::chrono::steady_clock::now();
    try_assumptions(run, m_options, std::max(*m_end, began + m_for_trials));
    m_for_trials = std::max(m_for_trials - (std::chrono::steady_clock::now() - began), Time::duration{});
  }

  void tell(std::size_t index) {
    try_out(m_runs[index]);
    if (m_job.events != nullptr) m_job.events->ended(m_runs[index]);
    m_done(m_runs[index]);
  }

  // Whether more time would show more of the test.
  bool has_more(const TestRun& run) const {
    if (run.error || !takes_turns()) return false;
    const bool deeper =
        m_deadline && m_options.deepens && m_options.uses_up_time && run.ended == EndReason::bound;
    return run.ended == EndReason::budget || deeper;
  }

  // Begins anew where the order of the change came in since, where there was no time for the first execution,
  // and where the state was too large to be kept.
  void go_on(std::size_t index, Time end) {
    complete_change_if_done(m_job, m_options);
    TestRun earlier = std::move(m_untold.at(index).run);
    // Without a budget, a first execution has what it takes.
    const bool cut_short = m_deadline && earlier.inconclusive.step_limit != 0;
    const bool other_order = earlier.heuristic != m_options.heuristic;
    const bool resumes = !cut_short && !other_order && !earlier.state_file.empty();
    take_turn(index, end, resumes, [&] {
      if (m_options.resume) try {
          return explore(m_options, m_observer);
        } catch (const ResumeError&) { // a library has changed since
          m_options.resume = false;
        }
      m_options.promoted = earlier.promoted_accesses;
      TestRun run = explore_test(m_options, m_observer);
      if (cut_short) forget_the_cut(earlier);
      earlier.notes.clear(); // that the order of the change did not count, say
      if (other_order) note_early(run, earlier);
      join_early(run, earlier);
      return run;
    });
  }

  const ExploreTests& m_job;
  ProgressPrinter& m_progress;
  const std::function<void(const TestRun&)>& m_done;
  ExploreOptions m_options;
  FindingPolicy m_policy;
  RunObserver m_observer;
  std::vector<std::string> m_names;
  std::optional<Time> m_end;      // of the budget
  std::optional<Time> m_deadline; // of the searches
  Time::duration m_for_trials{};  // what is left of the time between them
  std::optional<TurnPlan> m_plan;
  std::vector<TestRun> m_runs;
  std::vector<std::uintmax_t> m_state_sizes; // of the states that are kept
  std::uintmax_t m_state_bytes = 0;          // of all of them
  bool m_has_seen_change = false;            // since the turn began
  std::map<std::size_t, Explored> m_untold;  // may go on, or are unjudged: nothing was told of them yet
};

} // namespace

std::vector<TestRun> explore_tests(const ExploreTests& job, ProgressPrinter& progress,
                                   const std::function<void(const TestRun&)>& done) {
  return TestPasses(job, progress, done).run();
}

} // namespace reex
