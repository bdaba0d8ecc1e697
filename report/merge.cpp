#include "report/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "reex/run/finding_kinds.h"
#include "reex/run/sha256.h"

namespace reex {
namespace {

// The run of a test in one shard.
struct Part {
  const RunFile* file;
  const TestRun* run;
};

void check_same_run(const Part& first, const Part& other) {
  const auto refuse = [&](const std::string& what) {
    throw MergeError(
        fmt::format("{} is of another run than {}: {} differs", other.file->name, first.file->name, what));
  };
  if (first.run->shard->count != other.run->shard->count) refuse("the number of shards");
  if (first.run->arguments != other.run->arguments) refuse("the test, or its arguments,");
  const std::map<std::string, std::string> expected(first.run->identity.begin(), first.run->identity.end());
  const std::map<std::string, std::string> found(other.run->identity.begin(), other.run->identity.end());
  for (const auto& [name, value] : expected)
    if (!found.contains(name) || found.at(name) != value) refuse(name);
  if (expected.size() != found.size()) refuse("the version of reex");
}

// The parts of each test. The tests have the order in which the files first name them.
std::vector<std::vector<Part>> by_test(const std::vector<RunFile>& files) {
  std::vector<std::vector<Part>> tests;
  for (const RunFile& file : files)
    for (const TestRun& run : file.runs) {
      if (!run.shard)
        throw MergeError(
            fmt::format("{} is the report of a whole run: give those of runs with --shard", file.name));
      const auto same = std::find_if(tests.begin(), tests.end(), [&](const std::vector<Part>& parts) {
        return parts.front().run->name == run.name;
      });
      if (same == tests.end())
        tests.push_back({{&file, &run}});
      else
        same->push_back({&file, &run});
    }
  return tests;
}

std::string listed(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
  return text;
}

// The shards for which there is no part.
std::vector<std::uint32_t> missing_shards(const std::vector<Part>& parts) {
  std::map<std::uint32_t, const Part*> there;
  for (const Part& part : parts) {
    check_same_run(parts.front(), part);
    const auto [known, is_new] = there.emplace(part.run->shard->index, &part);
    if (!is_new)
      throw MergeError(fmt::format("{} and {} are both shard {} of {}: give each once",
                                   known->second->file->name, part.file->name, part.run->shard->index,
                                   part.run->shard->count));
  }
  std::vector<std::uint32_t> missing;
  for (std::uint32_t index = 1; index <= parts.front().run->shard->count; ++index)
    if (!there.contains(index)) missing.push_back(index);
  return missing;
}

// A shard alone does not know whether another one satisfies the schedule.
void join_imunit(std::optional<ImunitResult>& whole, const std::optional<ImunitResult>& part) {
  if (!part) return;
  if (!whole) {
    whole = part;
    return;
  }
  whole->satisfied += part->satisfied;
  whole->stuck += part->stuck;
  if (whole->stuck_example.empty()) whole->stuck_example = part->stuck_example;
  whole->vacuous.clear(); // what one leaves out, another may reach
  if (whole->satisfied != 0) whole->verdict = ImunitResult::Verdict::satisfied;
}

// Adds the counts. Shards run at the same time, so the longest one gives the time of the whole.
void join_counts(TestRun& whole, const TestRun& part) {
  whole.schedules += part.schedules;
  whole.pruned += part.pruned;
  whole.followed += part.followed;
  whole.audited += part.audited;
  if (!whole.refuted) whole.refuted = part.refuted;
  join_imunit(whole.imunit, part.imunit);
  whole.wall_seconds = std::max(whole.wall_seconds, part.wall_seconds);
  whole.rounds = std::max(whole.rounds, part.rounds);
  Inconclusive& open = whole.inconclusive;
  open.step_limit += part.inconclusive.step_limit;
  open.watchdog += part.inconclusive.watchdog;
  open.memory_limit += part.inconclusive.memory_limit;
  open.livelock += part.inconclusive.livelock;
  open.loops_cut += part.inconclusive.loops_cut;
  if (open.example.empty()) open.example = part.inconclusive.example;
  for (const Gap& gap : part.gaps)
    if (std::find(whole.gaps.begin(), whole.gaps.end(), gap) == whole.gaps.end()) whole.gaps.push_back(gap);
  for (const std::string& note : part.notes)
    if (std::find(whole.notes.begin(), whole.notes.end(), note) == whole.notes.end())
      whole.notes.push_back(note);
  if (part.error.kind > whole.error.kind) whole.error = part.error;
}

void join_control(Control& whole, const Control& part) {
  whole.threads = std::max(whole.threads, part.threads);
  whole.scheduling_points += part.scheduling_points;
  whole.operations_of_system += part.operations_of_system;
  whole.counted_executions += part.counted_executions;
  if (whole.isolation.empty() || (part.isolation == "fork" && whole.isolation != "fork")) {
    whole.isolation = part.isolation;
    whole.isolation_reason = part.isolation_reason;
  }
  for (const UninstrumentedModule& module : part.uninstrumented) {
    const auto same = std::find_if(whole.uninstrumented.begin(), whole.uninstrumented.end(),
                                   [&](const auto& other) { return other.path == module.path; });
    if (same == whole.uninstrumented.end())
      whole.uninstrumented.push_back(module);
    else
      same->operations += module.operations;
  }
  std::stable_sort(whole.uninstrumented.begin(), whole.uninstrumented.end(),
                   [](const auto& a, const auto& b) { return a.operations > b.operations; });
}

void join_outcomes(std::vector<Outcome>& whole, const std::vector<Outcome>& part) {
  const auto identity = [](const Outcome& outcome) {
    return std::tie(outcome.stdout_bytes, outcome.sha256, outcome.exit, outcome.failure);
  };
  for (const Outcome& outcome : part) {
    const auto same = std::find_if(whole.begin(), whole.end(), [&](const Outcome& other) {
      return identity(other) == identity(outcome);
    });
    if (same == whole.end()) {
      whole.push_back(outcome);
      continue;
    }
    const std::uint64_t count = same->count + outcome.count;
    if (outcome.preemptions < same->preemptions) *same = outcome;
    same->count = count;
  }
}

void join_failures(std::vector<Failure>& whole, const std::vector<Failure>& part) {
  for (const Failure& failure : part) {
    const bool by_place = row_of_failure(failure.kind) != nullptr;
    const auto same = std::find_if(whole.begin(), whole.end(), [&](const Failure& other) {
      return other.key == failure.key && (!by_place || lines_of(other.where) == lines_of(failure.where));
    });
    if (same == whole.end()) {
      whole.push_back(failure);
      continue;
    }
    const std::uint64_t count = by_place ? 1 : same->count + failure.count;
    if (failure.order < same->order) *same = failure;
    same->count = count;
  }
}

void join_findings(std::vector<Finding>& whole, const std::vector<Finding>& part) {
  for (const Finding& finding : part) {
    const auto same = std::find_if(whole.begin(), whole.end(),
                                   [&](const Finding& other) { return same_place(other, finding); });
    if (same == whole.end())
      whole.push_back(finding);
    else if (same->replay.empty())
      same->replay = finding.replay;
  }
}

// What several shards have suppressed counts once.
void join_suppressed(std::vector<Suppressed>& whole, const std::vector<Suppressed>& part) {
  const auto identity = [](const Suppressed& one) {
    return std::tie(one.kind, one.key, one.message, one.by);
  };
  for (const Suppressed& one : part)
    if (std::none_of(whole.begin(), whole.end(),
                     [&](const Suppressed& other) { return identity(other) == identity(one); }))
      whole.push_back(one);
}

void join_results(TestRun& whole, const TestRun& part) {
  join_outcomes(whole.outcomes, part.outcomes);
  join_failures(whole.failures, part.failures);
  join_findings(whole.findings, part.findings);
  join_suppressed(whole.suppressed, part.suppressed);
  for (const PromotedAccess& access : part.promoted_accesses)
    if (std::find(whole.promoted_accesses.begin(), whole.promoted_accesses.end(), access) ==
        whole.promoted_accesses.end())
      whole.promoted_accesses.push_back(access);
  whole.promoted = static_cast<unsigned>(whole.promoted_accesses.size());
}

void set_rate(TestRun& run) {
  run.executions_per_second =
      run.wall_seconds > 0 ? static_cast<double>(run.schedules) / run.wall_seconds : 0;
}

using Places = std::set<std::pair<std::string, std::uint64_t>>;

Places places_of(const std::vector<PromotedAccess>& accesses) {
  Places places;
  for (const PromotedAccess& access : accesses) places.emplace(access.module, access.offset);
  return places;
}

// Whether all shards had the same promoted accesses. If not, they are not parts of one search.
bool same_points(const std::vector<Part>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return places_of(part.run->promoted_accesses) == places_of(parts.front().run->promoted_accesses);
  });
}

void join_claims(TestRun& whole, const std::vector<Part>& parts) {
  whole.exhausted =
      std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.run->exhausted; });
  bool known = true;
  std::optional<unsigned> least;
  unsigned most = 0; // the bound of the whole if every part is exhausted and has no bound
  for (const Part& part : parts) {
    const std::optional<unsigned> bound = part.run->bound_completed;
    most = std::max(most, bound.value_or(0));
    if (part.run->exhausted && !part.run->bound) continue;
    known = known && bound;
    if (bound) least = std::min(least.value_or(*bound), *bound);
  }
  if (known) whole.bound_completed = least.value_or(most);
}

// The number of failures that ended their executions.
std::size_t ending_failures(const TestRun& run) {
  return static_cast<std::size_t>(
      std::count_if(run.failures.begin(), run.failures.end(),
                    [](const Failure& failure) { return row_of_failure(failure.kind) == nullptr; }));
}

// The most important reason.
EndReason ended(const TestRun& whole, const std::vector<Part>& parts) {
  const auto any = [&](EndReason reason) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Part& part) { return part.run->ended == reason; });
  };
  for (const EndReason reason : {EndReason::error, EndReason::damaged, EndReason::nondeterministic,
                                 EndReason::refused, EndReason::not_started, EndReason::interrupted})
    if (any(reason)) return reason;
  if (whole.keep_going != 0 && ending_failures(whole) >= whole.keep_going) return EndReason::failure_limit;
  for (const EndReason reason : {EndReason::budget, EndReason::not_begun, EndReason::schedule_limit})
    if (any(reason)) return reason;
  return whole.exhausted ? EndReason::exhausted : EndReason::bound;
}

// Sorts the failures into the order of exploration and keeps as many as the user asked for. Those that come
// of findings are behind the others, and do not count.
void order_failures(TestRun& whole) {
  std::stable_sort(whole.failures.begin(), whole.failures.end(), [](const Failure& a, const Failure& b) {
    return std::make_pair(row_of_failure(a.kind) != nullptr, a.order) <
           std::make_pair(row_of_failure(b.kind) != nullptr, b.order);
  });
  const std::size_t ending = ending_failures(whole);
  if (whole.keep_going != 0 && ending > whole.keep_going)
    whole.failures.erase(whole.failures.begin() + static_cast<std::ptrdiff_t>(whole.keep_going),
                         whole.failures.begin() + static_cast<std::ptrdiff_t>(ending));
}

TestRun join(const std::vector<Part>& parts, const std::vector<std::uint32_t>& missing) {
  TestRun whole = *parts.front().run;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const TestRun& part = *parts[i].run;
    join_counts(whole, part);
    join_control(whole.control, part.control);
    join_results(whole, part);
  }
  if (whole.imunit && whole.imunit->satisfied == 0)
    whole.gaps.push_back({"imunit", "no execution satisfied the schedule \"" + whole.imunit->text + "\"",
                          "without --shard, reex can prove that none does", GapEffect::verdict});
  order_failures(whole);
  whole.shard.reset();
  whole.identity.clear();
  set_rate(whole);
  whole.exhausted = false;
  whole.bound_completed.reset();
  const bool agree = same_points(parts);
  if (missing.empty() && agree) join_claims(whole, parts);
  whole.ended = ended(whole, parts);
  if (!missing.empty())
    whole.notes.push_back(fmt::format("of {} shards {} {} missing", parts.front().run->shard->count,
                                      listed(missing), missing.size() == 1 ? "is" : "are"));
  const bool unclaimed = whole.ended == EndReason::bound || whole.ended == EndReason::schedule_limit;
  if (unclaimed && !agree) whole.ended = EndReason::races_differ;
  if (unclaimed && !missing.empty()) whole.ended = EndReason::partial;
  return whole;
}

} // namespace

std::vector<std::string> skipped_tests(const std::vector<RunFile>& files) {
  std::vector<std::string> skipped;
  for (const RunFile& file : files)
    for (const std::string& name : file.skipped)
      if (std::find(skipped.begin(), skipped.end(), name) == skipped.end()) skipped.push_back(name);
  return skipped;
}

void join_earlier(TestRun& run, const TestRun& earlier) {
  const double seconds = run.wall_seconds + earlier.wall_seconds;
  const std::vector<Gap> gaps = run.gaps;
  const RunError error = run.error;
  join_counts(run, earlier);
  join_control(run.control, earlier.control);
  join_results(run, earlier);
  order_failures(run);
  run.gaps = gaps;
  run.error = error;
  run.wall_seconds = seconds;
  set_rate(run);
}

std::vector<TestRun> merge_shards(const std::vector<RunFile>& files, bool partial) {
  std::vector<TestRun> runs;
  for (const std::vector<Part>& parts : by_test(files)) {
    const std::vector<std::uint32_t> missing = missing_shards(parts);
    if (!missing.empty() && !partial)
      throw MergeError(
          fmt::format("shard {} of {} is missing{}: run it, or join what is there with --partial",
                      listed(missing), parts.front().run->shard->count,
                      files.size() == 1 || parts.front().run->name.empty()
                          ? ""
                          : fmt::format(" for {}", parts.front().run->name)));
    runs.push_back(join(parts, missing));
  }
  return runs;
}

} // namespace reex
