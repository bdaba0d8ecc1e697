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

std::optional<Time> share_of_budget(std::optional<Time> deadline, Time now, std::size_t left,
                                    std::size_t share) {
  if (!deadline || left == 0 || *deadline <= now) return deadline;
  return now + (*deadline - now) / static_cast<long>(left) * static_cast<long>(share);
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
    const std::optional<Time> end = end_of_first_turns();
    for (std::size_t i = 0; i < m_names.size() && !interruption_requested(); ++i) {
      m_runs.emplace_back();
      m_state_sizes.push_back(0);
      m_takes_part.emplace_back();
      const bool goes_on = m_job.options.resume && has_state(state_file_of(m_job, m_names[i]));
      take_turn(i, end_of_first_turn(end, m_names.size() - i), goes_on,
                [&] { return explore_with_change(m_job, m_options, m_observer, m_deadline); });
    }
    while (!m_later.empty() && is_time_left()) further_pass();
    std::move(m_unjudged.begin(), m_unjudged.end(), std::back_inserter(m_later));
    judge_again();
    for (const Later& one : m_later) {
      TestRun& run = m_runs[one.index];
      if (!m_deadline && run.ended == EndReason::budget) run.ended = EndReason::interrupted;
      tell(one.index);
    }
    if (may_leave_tests_out(m_job) && !interruption_requested()) keep_turns(turns_of(m_job), turns());
    return as_listed();
  }

private:
  struct Later {
    std::size_t index;
    TestRun run; // as it was explored, before it was judged
    bool is_unjudged;
    bool is_short() const { return run.ended == EndReason::budget; } // of the bound
  };
  using Turns = std::vector<Later>;

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

  // The end of the first turns. Which tests execute what the change has an impact on shows when each has had
  // one: half of the budget is kept until then.
  std::optional<Time> end_of_first_turns() const {
    const bool by_change = m_job.change != nullptr && (!is_analysed(m_job) || !m_options.heuristic.empty());
    if (!m_deadline || !takes_turns() || !by_change) return m_deadline;
    const Time now = std::chrono::steady_clock::now();
    return now + (*m_deadline - now) / 2;
  }

  // `end`: of all that are `left`.
  std::optional<Time> end_of_first_turn(std::optional<Time> end, std::size_t left) const {
    const Time now = std::chrono::steady_clock::now();
    if (!m_deadline && takes_turns()) return now + m_turn;
    return share_of_budget(end, now, left);
  }

  // Without a budget, each pass is twice as long as the one before: no test waits until another one is
  // through.
  Time end_of_pass() {
    if (m_deadline) return *m_deadline;
    m_turn *= 2;
    return std::chrono::steady_clock::now() + m_turn * m_later.size();
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
    if (m_has_seen_change)
      m_takes_part[index] = true;
    else if (!explored.heuristic.empty() && !resume)
      m_takes_part[index] = false;
    m_progress.finish();
    if (count > 1) limit_states(index, explored);
    m_runs[index] = judged(explored);
    const bool is_unjudged = !is_analysed(m_job) && awaits_analysis(explored, m_options);
    if (count > 1 && m_runs[index].failures.empty() && has_more(explored))
      m_later.push_back({index, std::move(explored), is_unjudged});
    else if (count > 1 && m_runs[index].failures.empty() && is_unjudged)
      m_unjudged.push_back({index, std::move(explored), true});
    else
      tell(index);
  }

  // Which races are of the change was not known when these tests had their turns.
  void judge_again() {
    const auto is_unjudged = [](const Later& one) { return one.is_unjudged; };
    if (std::none_of(m_later.begin(), m_later.end(), is_unjudged)) return;
    if (!is_analysed(m_job)) {
      if (!complete_change_by(m_job, m_options, m_deadline.value_or(Time::max()))) return;
    }
    for (const Later& one : m_later)
      if (one.is_unjudged) m_runs[one.index] = judged(one.run);
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

  bool is_time_left() const {
    return !interruption_requested() &&
           (!m_deadline || std::chrono::steady_clock::now() + k_least_share < *m_deadline);
  }

  // Those that were stopped short of the bound come first. Of these, those in which what the change has an
  // impact on takes part have most of the time; where this is not known yet, half of it goes to find out.
  void further_pass() {
    const Time end = end_of_pass();
    const bool some_are_short = std::any_of(m_later.begin(), m_later.end(), std::mem_fn(&Later::is_short));
    const auto take = [&](auto is_taken) {
      return take_later([&](const Later& one) {
        return (one.is_short() || !some_are_short) && is_taken(m_takes_part[one.index]);
      });
    };
    if (!m_options.heuristic.empty()) {
      Turns unknown = take([](std::optional<bool> takes_part) { return !takes_part; });
      further_turns(unknown, end - (end - std::chrono::steady_clock::now()) / 2, k_least_first_share);
    }
    Turns changed = take([](std::optional<bool> takes_part) { return takes_part.value_or(true); });
    Turns others = take([](std::optional<bool> takes_part) { return !takes_part.value_or(true); });
    const auto left = end - std::chrono::steady_clock::now();
    further_turns(changed, others.empty() ? end : end - left / k_part_of_others, k_least_share);
    further_turns(others, end, k_least_share);
  }

  Turns take_later(const std::function<bool(const Later&)>& is_taken) {
    const auto taken = std::stable_partition(m_later.begin(), m_later.end(),
                                             [&](const Later& one) { return !is_taken(one); });
    Turns turns(std::make_move_iterator(taken), std::make_move_iterator(m_later.end()));
    m_later.erase(taken, m_later.end());
    return turns;
  }

  // Each that has a turn has one that is worth its start. Those that have none come first in the next pass.
  void further_turns(Turns& turns, Time end, std::chrono::milliseconds least) {
    const auto fitting = std::max<std::ptrdiff_t>(1, (end - std::chrono::steady_clock::now()) / least);
    const std::size_t sharing = std::min(turns.size(), static_cast<std::size_t>(fitting));
    m_later.insert(m_later.begin(),
                   std::make_move_iterator(turns.begin() + static_cast<std::ptrdiff_t>(sharing)),
                   std::make_move_iterator(turns.end()));
    for (std::size_t i = 0; i < sharing; ++i)
      if (is_time_left())
        go_on(turns[i], share_of_budget(end, std::chrono::steady_clock::now(), sharing - i));
      else
        m_later.push_back(std::move(turns[i]));
  }

  // Begins anew where the order of the change came in since, where there was no time for the first execution,
  // and where the state was too large to be kept.
  void go_on(Later& earlier, std::optional<Time> end) {
    complete_change_if_done(m_job, m_options);
    const bool cut_short = earlier.run.inconclusive.step_limit != 0;
    const bool other_order = earlier.run.heuristic != m_options.heuristic;
    const bool resumes = !cut_short && !other_order && !earlier.run.state_file.empty();
    take_turn(earlier.index, end, resumes, [&] {
      if (m_options.resume) try {
          return explore(m_options, m_observer);
        } catch (const ResumeError&) { // a library has changed since
          m_options.resume = false;
        }
      m_options.promoted = earlier.run.promoted_accesses;
      TestRun run = explore_test(m_options, m_observer);
      if (cut_short) forget_the_cut(earlier.run);
      earlier.run.notes.clear(); // that the order of the change did not count, say
      if (other_order) note_early(run, earlier.run);
      join_early(run, earlier.run);
      return run;
    });
  }

  static constexpr std::chrono::milliseconds k_least_share{500};
  static constexpr std::chrono::milliseconds k_least_first_share{100};
  static constexpr int k_part_of_others = 4; // a quarter

  const ExploreTests& m_job;
  ProgressPrinter& m_progress;
  const std::function<void(const TestRun&)>& m_done;
  ExploreOptions m_options;
  FindingPolicy m_policy;
  RunObserver m_observer;
  std::vector<std::string> m_names;
  std::optional<Time> m_end;              // of the budget
  std::optional<Time> m_deadline;         // of the searches
  Time::duration m_for_trials{};          // what is left of the time between them
  std::chrono::milliseconds m_turn{2000}; // of a test, without a budget
  std::vector<TestRun> m_runs;
  std::vector<std::uintmax_t> m_state_sizes;     // of the states that are kept
  std::uintmax_t m_state_bytes = 0;              // of all of them
  std::vector<std::optional<bool>> m_takes_part; // what the change has an impact on; nullopt: not known
  bool m_has_seen_change = false;                // since the turn began
  Turns m_later;                                 // may go on; nothing was told of them yet
  Turns m_unjudged; // have come to their end, but it is not known which races count
};

} // namespace

std::vector<TestRun> explore_tests(const ExploreTests& job, ProgressPrinter& progress,
                                   const std::function<void(const TestRun&)>& done) {
  return TestPasses(job, progress, done).run();
}

} // namespace reex
