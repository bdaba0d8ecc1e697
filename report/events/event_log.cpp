#include "report/events/event_log.h"

#include "report/document/json_parts.h"
#include "report/document/run_report.h"

namespace reex {
namespace {

constexpr int k_skipped = 77; // the exit status if --select left no test

using namespace json;

constexpr int k_interrupted = 130; // the exit status

std::string line(const Json& event) {
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Json event(const char* name, const std::string& test) { return {{"event", name}, {"test", text(test)}}; }

} // namespace

void EventLog::started(const JsonContext& context, const std::string& binary,
                       const std::vector<std::string>& arguments, const std::vector<std::string>& tests) {
  m_write(line({{"event", "started"},
                {"format", 1},
                {"reex", context.version},
                {"binary", text(binary)},
                {"arguments", lines(arguments)},
                {"tests", lines(tests)},
                {"base", text_or_null(context.base)}}));
}

void EventLog::begun(const std::string& test, std::size_t index, std::size_t count) {
  m_test = test;
  m_last_progress.reset();
  m_told.clear();
  Json value = event("test", test);
  value["index"] = index + 1;
  value["count"] = count;
  m_write(line(value));
}

void EventLog::progress(const Progress& progress, Time now) {
  if (m_last_progress && now - *m_last_progress < std::chrono::seconds(1)) return;
  m_last_progress = now;
  Json value = event("progress", m_test);
  value["bound"] = progress.bound;
  value["schedules"] = progress.schedules;
  value["pending"] = progress.pending;
  value["total"] = progress.total != 0 ? Json(progress.total) : Json();
  value["failures"] = progress.failures;
  value["seconds"] = progress.seconds;
  value["estimate"] = Json::array();
  for (const Left& left : progress.left) value["estimate"].push_back(left_json(left));
  m_write(line(value));
}

void EventLog::found(const Failure& failure) {
  m_told.insert(failure.key);
  Json value = event("failure", m_test);
  value["failure"] = failure_json(failure);
  m_write(line(value));
}

void EventLog::ended(const TestRun& run) {
  std::string text;
  for (const Failure& failure : run.failures) {
    if (m_told.contains(failure.key)) continue;
    Json value = event("failure", run.name);
    value["failure"] = failure_json(failure);
    text += line(value);
  }
  for (const Finding& finding : run.findings) {
    Json value = event("finding", run.name);
    value["finding"] = finding_json(finding);
    text += line(value);
  }
  const std::vector<Gap> gaps = all_gaps(run);
  for (const Gap& gap : gaps) {
    Json value = event("gap", run.name);
    value["gap"] = gap_json(gap);
    text += line(value);
  }
  const bool claims = effect_of(gaps) == GapEffect::told;
  Json value = event("tested", run.name);
  value["verdict"] = to_string(verdict_of(run));
  value["schedules"] = run.schedules;
  value["bound_completed"] = claims ? number_or_null(run.bound_completed) : Json();
  value["exhausted"] = claims ? Json(run.exhausted) : Json();
  value["failures"] = Json::array();
  for (const Failure& failure : run.failures)
    value["failures"].push_back({{"key", failure.key}, {"replay", text_or_null(failure.replay)}});
  value["ended"] = to_string(run.ended);
  value["error"] = text_or_null(run.error.text);
  value["seconds"] = run.wall_seconds;
  m_write(text + line(value));
}

// An interruption between two tests, or while a failure is looked into, is in none of the runs.
void EventLog::finished(const std::vector<TestRun>& runs, int status) {
  if (status == k_interrupted)
    m_write(interrupted_line());
  else
    m_write(
        line({{"event", "finished"},
              {"verdict", runs.empty() && status == k_skipped ? "skipped" : to_string(verdict_of_all(runs))},
              {"status", status},
              {"error", nullptr}}));
}

std::string EventLog::interrupted_line() {
  return line({{"event", "finished"},
               {"verdict", to_string(Verdict::interrupted)},
               {"status", k_interrupted},
               {"error", nullptr}});
}

void EventLog::failed(const std::string& error, int status) {
  m_write(line({{"event", "finished"}, {"verdict", "error"}, {"status", status}, {"error", text(error)}}));
}

} // namespace reex
