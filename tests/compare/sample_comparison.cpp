#include "tests/compare/sample_comparison.h"

namespace reex {

RunRecord found_at(const RunId& id, std::uint64_t schedule) {
  RunRecord run;
  run.id = id;
  run.status = 1;
  run.failure = FirstFailure{schedule, "assertion", "0123456789ab", "a <b> & \"c\""};
  run.schedules = schedule;
  run.ended = "failure_limit";
  run.isolation = "restore";
  run.threads = schedule == 100 ? 3 : 2;
  run.processor_seconds = 0.25;
  run.wall_seconds = 0.5;
  run.schedules_per_second = static_cast<double>(schedule) / 0.5;
  return run;
}

RunRecord not_found(const RunId& id, std::uint64_t schedules, const std::string& ended) {
  RunRecord run = found_at(id, 1);
  run.status = 0;
  run.failure.reset();
  run.schedules = schedules;
  run.ended = ended;
  return run;
}

namespace {

Frame frame(const std::string& function, unsigned line, bool changed = false) {
  return {function, "/project/src/queue.h", line, 0, "/project/build/queue_test", false, changed};
}

} // namespace

FailingRun::FailingRun() {
  Failure failure;
  failure.key = "0123456789ab";
  failure.kind = "assertion";
  failure.message = "a <b> & \"c\"";
  failure.schedule = 100;
  failure.how.preemptions = 1;
  const auto step = [&](int thread, const std::string& operation, unsigned line, bool changed) {
    TraceStep one;
    one.step = static_cast<unsigned>(failure.how.trace.size());
    one.thread = thread;
    one.operation = operation;
    one.object = "m<1>";
    one.stack = {frame("push()", line, changed)};
    failure.how.trace.push_back(one);
  };
  for (unsigned i = 0; i < 20; ++i) step(0, "atomic load", 7, false);
  step(1, "mutex lock", 12, true);
  failure.how.trace.back().reason = SwitchReason::preempted;
  failure.how.trace.back().from_thread = 0;
  step(0, "mutex unlock", 40, true);
  failure.how.trace.back().reason = SwitchReason::finished;
  failure.how.length = failure.how.trace.size();
  failure.where = {{0, "failed here", {frame("main()", 50)}}};
  TestRun run;
  run.failures.push_back(failure);
  m_runs.push_back(run);
  FileChange file;
  file.old_path = file.new_path = "src/queue.h";
  file.text = "@@ -11,2 +11,3 @@\n same\n+a <new> line\n same\n@@ -90,1 +91,2 @@\n same\n+far away\n";
  m_change = {"HEAD~1 to the files on disk", "/project", {file}};
}

std::string FailingRun::trimmed(const std::string&, unsigned line) {
  return "source <" + std::to_string(line) + ">";
}

RunReport FailingRun::report() {
  return {.runs = m_runs, .context = {}, .sources = *this, .change = &m_change, .root = "/project"};
}

Comparison sample_comparison() {
  Comparison comparison;
  comparison.version = "1.2.3";
  comparison.label = "queue";
  comparison.binary = "/project/build/queue_test";
  comparison.arguments = {"--size", "3"};
  comparison.build = std::string(64, 'b');
  comparison.change = "HEAD~1 to the files on disk";
  comparison.base = std::string(40, 'a');
  comparison.impacted_points = 12;
  comparison.auto_heuristic = "LOA+FA";
  comparison.judged = "LOA";
  comparison.options = {"--base", "HEAD~1"};
  comparison.seeds = 4;
  comparison.schedule_limit = 1000;
  comparison.budget_seconds = 5;
  comparison.jobs = 2;
  comparison.started = "2026-01-02T03:04:05Z";
  comparison.machine = {"Linux 6.1 x86_64", "a processor", 2};
  comparison.analysis = {1.5, 3, 0};
  comparison.contestants = {{"Basic", ContestantKind::basic},
                            {"LA", ContestantKind::heuristic},
                            {"LOA", ContestantKind::heuristic},
                            {"random", ContestantKind::sampler}};
  const std::uint64_t basic[] = {100, 200, 150, 180, 220};
  const std::uint64_t loa[] = {5, 12, 8, 10, 9};
  const std::uint64_t random[] = {30, 45, 60, 25};
  for (const char* reduction : {"auto", "none"})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      comparison.runs.push_back(found_at({"Basic", reduction, seed}, basic[seed]));
      comparison.runs.push_back(found_at({"LOA", reduction, seed}, loa[seed]));
      comparison.runs.push_back(not_found({"LA", reduction, seed}, 1000));
    }
  for (std::uint64_t seed = 1; seed < 5; ++seed)
    comparison.runs.push_back(found_at({"random", "any", seed}, random[seed - 1]));
  RunRecord lost = not_found({"random", "any", 5}, 7);
  lost.judged = false;
  lost.status = 70;
  lost.problem = "the disk is full";
  comparison.runs.push_back(lost);
  comparison.planned = comparison.runs.size();
  return comparison;
}

} // namespace reex
