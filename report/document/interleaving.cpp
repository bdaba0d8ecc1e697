#include "report/document/interleaving.h"

#include <set>

#include "report/text/needed_switches.h"
#include "report/text/trace_rows.h"

namespace reex {
namespace {

class Maker {
public:
  Maker(const Failure& failure, SourceLines& sources, const InterleavingLimits& limits)
      : m_failure(failure), m_trace(failure.how.trace), m_sources(sources), m_limits(limits) {
    for (const NeededSwitch& one : needed_switches(failure)) m_needed.insert(one.step);
    for (const TraceRow& row : trace_rows(m_trace, failure.where, false)) {
      if (row.kind == TraceRow::Kind::step) m_shown_steps.insert(row.index);
      if (row.kind == TraceRow::Kind::context_switch) m_shown_switches.insert(row.index);
    }
  }

  Interleaving make() {
    Interleaving made;
    made.kind = m_failure.kind;
    made.threads = thread_count(m_trace, m_failure.where);
    made.unrecorded = unrecorded_text(m_failure.how);
    if (!m_failure.where.empty()) made.failing = m_failure.where.front().thread;
    // Rows that the short report leaves out are in a fold.
    const std::vector<TraceRow> all = trace_rows(m_trace, m_failure.where, true);
    for (std::size_t i = 0; i < all.size();) {
      if (shown(all[i])) {
        made.rows.push_back(row(all[i++], true));
        continue;
      }
      std::size_t end = i;
      while (end < all.size() && !shown(all[end])) ++end;
      made.rows.push_back(fold(all, i, end));
      i = end;
    }
    return made;
  }

private:
  bool shown(const TraceRow& row) const {
    return row.kind == TraceRow::Kind::step ? m_shown_steps.contains(row.index)
                                            : m_shown_switches.contains(row.index);
  }

  InterleavingRow fold(const std::vector<TraceRow>& all, std::size_t begin, std::size_t end) {
    InterleavingRow made;
    made.kind = InterleavingRow::Kind::fold;
    for (std::size_t i = begin; i < end; ++i) {
      if (all[i].kind == TraceRow::Kind::step) ++made.steps;
      if (m_trace.size() <= m_limits.steps)
        made.rows.push_back(row(all[i], m_trace.size() <= m_limits.stacks));
    }
    return made;
  }

  InterleavingRow row(const TraceRow& row, bool with_stack) {
    InterleavingRow made;
    made.needed = m_needed.contains(row.index);
    if (row.kind == TraceRow::Kind::context_switch) {
      made.kind = InterleavingRow::Kind::context_switch;
      made.step.step = m_trace[row.index].step;
      made.step.thread = row.thread;
      made.text = row.text;
      made.decisive = row.decisive;
      return made;
    }
    made.step = m_trace[row.index];
    made.with_stack = with_stack;
    if (const Frame* frame = shown_frame(made.step.stack); frame != nullptr)
      made.source = m_sources.trimmed(frame->file, frame->line);
    return made;
  }

  const Failure& m_failure;
  const std::vector<TraceStep>& m_trace;
  SourceLines& m_sources;
  const InterleavingLimits& m_limits;
  std::set<std::size_t> m_needed;
  std::set<std::size_t> m_shown_steps;
  std::set<std::size_t> m_shown_switches;
};

} // namespace

Interleaving interleaving_of(const Failure& failure, SourceLines& sources, const InterleavingLimits& limits) {
  return Maker(failure, sources, limits).make();
}

} // namespace reex
