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
