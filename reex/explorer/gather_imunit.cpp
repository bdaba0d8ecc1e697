// What came of a schedule of IMUnit (docs/imunit.md): counts of all workers, the verdict, and what follows
// from it for the run.
#include <algorithm>

#include "reex/explorer/exploration.h"
#include "reex/imunit/report.h"
#include "reex/records/imunit.h"
#include "reex/trace/difference.h"
#include "reex/trace/verdict.h"

namespace reex {
namespace {

std::string position_text(const ImunitPosition& position, TraceReader& reader) {
  std::string text = "thread " + std::to_string(position.thread);
  const std::string place = place_text(reader.stack({position.pc}));
  if (position.ordering >= 0)
    text += " is held at " + reader.event_text(position.issue) + " for " +
            reader.ordering_text(position.ordering);
  else
    text += position.spins ? " spins" : std::string(" waits: ") + info(position.operation).text;
  return place.empty() ? text : text + ", at " + place;
}

std::string stuck_example(const ImunitCopy& copy, TraceReader& reader) {
  std::string text;
  for (const ImunitPosition& position : copy.positions)
    text += (text.empty() ? "" : "\n") + position_text(position, reader);
  return text;
}

// What of the schedule has done nothing in any execution.
std::vector<std::string> vacuous(const ImunitCopy& all, const TraceReader& reader) {
  std::vector<std::string> texts;
  for (unsigned i = 0; i < all.schedule.events; ++i)
    if ((all.unknown & imunit::event_bit(i)) != 0)
      texts.push_back(imunit::unknown_text(all.schedule, imunit::event_bit(i)));
    else if ((all.reached & imunit::event_bit(i)) == 0)
      texts.push_back(reader.event_text(imunit::event_bit(i)) + " was never reached");
  for (unsigned i = 0; i < all.schedule.orderings && !all.checks; ++i)
    if ((all.held & imunit::event_bit(i)) == 0)
      texts.push_back(reader.ordering_text(static_cast<int>(i)) + " held nobody");
  return texts;
}

std::string title(const ImunitResult& result) {
  return "the schedule " + (result.schedule.empty() ? "" : "\"" + result.schedule + "\" ") + "\"" +
         result.text + "\"";
}

// It has no trace: nothing happened in the executions that must not. `unknown`: why that says nothing; or "".
Failure infeasible(const TestRun& run, const std::string& unknown) {
  Failure failure;
  failure.kind = "infeasible";
  failure.message = "no execution satisfies " + title(*run.imunit) + ": " +
                    (unknown.empty() ? "all schedules were tried\n" : unknown + '\n') +
                    run.imunit->stuck_example;
  failure.count = run.imunit->stuck;
  failure.schedule = 1;
  failure.key = stable_key(failure, run.binary, run.name);
  return failure;
}

} // namespace

void Exploration::gather_imunit() {
  ImunitCopy all;
  ImunitResult result;
  Session* first = nullptr;
  for (std::size_t i = 0; i < m_sessions.size(); ++i) {
    if (i >= m_statuses.size() || !m_statuses[i].ready) continue;
    Session& session = *m_sessions[i];
    ImunitCopy copy = read_imunit(session.memory()->imunit);
    result.satisfied += copy.satisfied;
    result.stuck += copy.stuck;
    if (!copy.used) continue;
    if (result.stuck_example.empty()) result.stuck_example = stuck_example(copy, session.reader());
    copy.reached |= all.reached;
    copy.held |= all.held;
    all = copy;
    first = &session;
  }
  if (first == nullptr) return;
  result.schedule = all.name;
  result.text.assign(all.schedule.text, all.schedule.length);
  result.expects_infeasible = all.infeasible;
  result.checks = all.checks;
  result.vacuous = vacuous(all, first->reader());
  if (all.several)
    m_run.notes.push_back(
        "the test has several schedules: what is said of one is about all of them together");
  const bool none = !m_options.shard && result.satisfied == 0 && result.stuck != 0;
  using Verdict = ImunitResult::Verdict;
  result.proved = none && m_run.exhausted;
  if (result.satisfied != 0)
    result.verdict = Verdict::satisfied;
  else if (result.proved || (none && all.infeasible && m_run.bound_completed))
    result.verdict = Verdict::infeasible;
  m_run.imunit = result;
  const std::string unknown = imunit::unknown_text(all.schedule, all.unknown);
  if (result.verdict == Verdict::infeasible && (!all.infeasible || !unknown.empty()))
    m_run.failures.push_back(infeasible(m_run, unknown));
  if (result.verdict == Verdict::not_met && !m_options.shard)
    add_gap("imunit", "no execution satisfied " + title(result) + (unknown.empty() ? "" : ": " + unknown),
            m_run.exhausted ? "its last event must come before the test ends" : "a larger --bound, or none",
            GapEffect::verdict);
}

} // namespace reex
