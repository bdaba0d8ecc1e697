#include "cli/compare/run_all.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <optional>
#include <set>

#include "cli/compare/prepare_comparison.h"
#include "cli/compare/read_run.h"
#include "cli/native/native_process.h"
#include "cli/terminal/command_error.h"
#include "cli/terminal/interruption.h"

namespace reex {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_slice{200};  // between two looks at the time
constexpr std::chrono::minutes k_beyond_budget{2}; // for the start of a run, and for reducing its failure

struct Process {
  RunId id;
  unsigned slot;
  std::string report;
  NativeProcess process;

  Process(const RunId& run, unsigned number, const std::string& path, const std::vector<std::string>& words)
      : id(run), slot(number), report(path), process(words, {usable_cpus()}) {}
};

class Runner {
public:
  Runner(const RunAll& job, ResultsFile& results, CompareProgress& progress)
      : m_job(job), m_results(results), m_progress(progress) {
    for (const RunRecord& run : results.runs()) m_done.insert(run.id);
    for (unsigned slot = 0; slot < job.jobs; ++slot) m_free.push_back(slot);
  }

  RunsEnd execute() {
    check_isolation();
    const auto middle = m_job.plan.runs.begin() + static_cast<std::ptrdiff_t>(m_job.plan.first_round);
    if (!make({m_job.plan.runs.begin(), middle})) return RunsEnd::interrupted;
    if (!anything_found()) return RunsEnd::nothing_found;
    return make({middle, m_job.plan.runs.end()}) ? RunsEnd::complete : RunsEnd::interrupted;
  }

private:
  bool anything_found() const {
    return std::any_of(m_results.runs().begin(), m_results.runs().end(),
                       [](const RunRecord& run) { return run.failure || run.race; });
  }

  // False if the user interrupts.
  bool make(const std::vector<RunId>& runs) {
    auto next = runs.begin();
    const auto skip = [&] {
      next = std::find_if(next, runs.end(), [&](const RunId& id) { return !m_done.contains(id); });
    };
    for (skip(); next != runs.end() || !m_running.empty();) {
      if (interruption_requested()) {
        m_running.clear();
        return false;
      }
      for (; next != runs.end() && !m_free.empty(); ++next, skip()) start(*next);
      wait();
      take_ends();
    }
    return true;
  }

  void start(const RunId& id) {
    const unsigned slot = m_free.back();
    m_free.pop_back();
    const std::string folder = make_slot(m_job.folder, slot);
    const std::string report = folder + "/run.json";
    std::error_code ignored;
    std::filesystem::remove(report, ignored);
    std::filesystem::remove(shown_report(report), ignored);
    const auto contestant = std::find_if(m_job.contestants.begin(), m_job.contestants.end(),
                                         [&](const Contestant& one) { return one.name == id.contestant; });
    m_running.emplace_back(id, slot, report, words_of_run(m_job.subject, *contestant, id, folder, report));
  }

  void wait() {
    std::vector<pollfd> ends;
    for (const Process& one : m_running) ends.push_back({one.process.descriptor(), POLLIN, 0});
    poll(ends.data(), ends.size(), static_cast<int>(k_slice.count()));
    m_progress.tick();
  }

  void take_ends() {
    for (auto one = m_running.begin(); one != m_running.end();) {
      const std::optional<int> status = one->process.ended();
      const bool hangs =
          !status && Clock::now() - one->process.started() > m_job.subject.budget + k_beyond_budget;
      if (!status && !hangs) {
        ++one;
        continue;
      }
      std::optional<RunRecord> run;
      if (hangs) {
        run.emplace();
        run->id = one->id;
        run->judged = false;
        run->problem = "it did not end at its budget";
        run->status = -1;
      } else {
        run = read_run({one->id, one->report, *status, one->process.tail(), one->process.processor_seconds(),
                        m_job.subject.steps_limited});
      }
      m_free.push_back(one->slot);
      one = m_running.erase(one);
      if (run) take(*run);
    }
  }

  void take(const RunRecord& run) {
    m_results.append(run);
    m_done.insert(run.id);
    m_progress.ended(run);
    check_isolation();
  }

  void check_isolation() {
    const RunRecord* first = nullptr;
    for (const RunRecord& run : m_results.runs()) {
      if (run.isolation.empty()) continue;
      if (first == nullptr) first = &run;
      if (run.isolation == first->isolation) continue;
      m_progress.finish();
      throw CommandError(
          ExitStatus::inconclusive,
          fmt::format("the runs do not isolate executions alike ({} of {}, {} of {}), so they cannot be "
                      "compared: give --isolation fork",
                      first->isolation, first->id.contestant, run.isolation, run.id.contestant));
    }
  }

  const RunAll& m_job;
  ResultsFile& m_results;
  CompareProgress& m_progress;
  std::set<RunId> m_done;
  std::vector<unsigned> m_free;
  std::list<Process> m_running;
};

} // namespace

RunsEnd run_all(const RunAll& job, ResultsFile& results, CompareProgress& progress) {
  return Runner(job, results, progress).execute();
}

} // namespace reex
