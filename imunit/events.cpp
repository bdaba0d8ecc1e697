// The numbers are the lines of Figure 3.4. What differs from it:
// - line 21: the SLEEP_RETURN that matches is the next one. The region begins with what was done at the time
// of
//   the SLEEP_CALL, and ends where the sleep's time was over, so that sleeps of the same length do not order
//   each other.
// - line 27: Region::open asks only for what comes behind the relevant entry. So does Figure 3.5, where the
//   main thread's SLEEP_RETURN is in the other region, and its BLOCK_CALL is relevant all the same.
// - line 29: an event before a statement that blocks is named by this statement, "starting", as in
//   Figure 3.1(c). The OTHER_RETURN is one of the region: of a thread that has finished nothing, the sleep
//   waits for nothing.
// - line 29: a thread that ends right behind a sleep of its own has an event there.
// - A join counts like the end of the thread that joins: no sleep waits for a thread to come to a join, but
//   for what it did before.
// - line 35: where a sleep is made for a thread that is then created (preprocessLog), that thread goes on.
// - line 40: the events go into the bag that line 17 filters.
#include "imunit/events.h"

#include <algorithm>
#include <map>
#include <set>

namespace reex::inference {
namespace {

bool stands_still(EntryType type) { // line 26
  return type == EntryType::sleep_call || type == EntryType::block_call || type == EntryType::th_end;
}
bool goes_on(EntryType type) { // line 27
  return type == EntryType::sleep_return || type == EntryType::block_return;
}

struct Span {
  int sleeper;
  std::size_t start; // where what was done beside the SLEEP_CALL begins
  std::size_t call;
  std::size_t end;     // the SLEEP_RETURN
  std::size_t time_is; // where the sleep's time was over
  int goes_on;         // the thread that waits for the region to end
};

// Lines 19 to 22, on the preprocessed log.
std::vector<Span> compute_regions(const Log& log) {
  std::vector<Span> result;
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i].type != EntryType::sleep_call) continue;
    Span span{log[i].thread, i, i, i, i, log[i].thread}; // without a return it is empty
    for (std::size_t k = i + 1; k < log.size(); ++k) {
      const int sleeper = log[k].child >= 0 ? log[k].child : log[k].thread; // preprocessed() has moved it
      if (log[k].type != EntryType::sleep_return || sleeper != log[i].thread) continue;
      span.start = begin_of_sleep(log, i, k);
      span.end = k;
      span.time_is = end_of_sleep(log, k);
      span.goes_on = log[k].thread;
      break;
    }
    result.push_back(span);
  }
  return result;
}

class OneLog {
public:
  OneLog(const Log& log, Region region, std::vector<StaticEvent>& found)
      : m_log(log), m_region(region), m_found(found) {}

  bool add_finished_events(const Span& span) { // lines 23 to 33
    std::set<int> threads;
    for (std::size_t i = span.start; i < span.time_is; ++i) threads.insert(m_log[i].thread);
    threads.erase(span.sleeper);
    threads.erase(span.goes_on);
    bool result = false;
    for (const int thread : threads) {
      const std::vector<std::size_t> relevant = relevant_entries(span, thread);
      if (relevant.size() != 1) continue; // line 28
      if (m_log[relevant.front()].statement == k_no_statement) continue;
      const bool beside = relevant.front() < span.call;
      result = add_finished(relevant.front(), beside ? span.start : span.call) || result;
    }
    return result;
  }

  void add_starting_event(const Span& span) { // lines 34 to 37
    for (std::size_t j = span.end + 1; j < m_log.size(); ++j) {
      const LogEntry& entry = m_log[j];
      if (entry.thread != span.goes_on || entry.statement == k_no_statement) continue;
      if (entry.type != EntryType::other_call && entry.type != EntryType::th_end) continue;
      m_found.push_back({entry.statement, "starting", entry.statement});
      return;
    }
  }

private:
  std::vector<std::size_t> relevant_entries(const Span& span, int thread) const {
    std::vector<std::size_t> relevant;
    for (std::size_t i = span.start; i < span.time_is; ++i) {
      const LogEntry& entry = m_log[i];
      if (entry.thread != thread) continue;
      const bool beside = i < span.call && entry.type == EntryType::sleep_call; // two sleeps begin at once
      if (stands_still(entry.type) && !beside) relevant.push_back(i);
      if (!goes_on(entry.type)) continue;
      if (m_region == Region::printed) return {};
      relevant.clear();
    }
    // A task of a pool ends, and its thread stands still or begins another one: the last end counts.
    if (m_region == Region::open && relevant.size() > 1) relevant.erase(relevant.begin(), relevant.end() - 1);
    return relevant;
  }

  bool add_finished(std::size_t relevant, std::size_t start) {
    const LogEntry& entry = m_log[relevant];
    if (entry.type == EntryType::block_call && entry.info != k_join) {
      m_found.push_back({entry.statement, "starting", entry.statement});
      return true;
    }
    for (std::size_t j = relevant; j-- > start;) { // line 29
      const LogEntry& before = m_log[j];
      if (before.thread != entry.thread || before.type != EntryType::other_return || before.info == k_join)
        continue;
      m_found.push_back({entry.statement, "finished", before.statement});
      return true;
    }
    // A thread that has slept, and does no more, was slept for all the same.
    if (entry.type != EntryType::th_end || !has_slept(entry.thread, relevant)) return false;
    m_found.push_back({entry.statement, "finished", k_no_statement});
    return true;
  }

  bool has_slept(int thread, std::size_t before) const {
    for (std::size_t j = before; j-- > 0;)
      if (m_log[j].thread == thread && m_log[j].type == EntryType::sleep_return) return true;
    return false;
  }

  const Log& m_log;
  Region m_region;
  std::vector<StaticEvent>& m_found;
};

// Of the sleep number `number` of the log, in the order of the SLEEP_CALLs.
void mark_sleep(Log& log, std::size_t number, bool idle) {
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[i].type != EntryType::sleep_call || number-- != 0) continue;
    log[i].idle = idle;
    for (std::size_t k = i + 1; k < log.size(); ++k) {
      if (log[k].thread != log[i].thread || log[k].type != EntryType::sleep_return) continue;
      log[k].idle = idle;
      return;
    }
    return;
  }
}

} // namespace

InferredEvents infer_events(std::vector<Log>& logs, double confidence, Region region) {
  InferredEvents result;
  std::map<StaticEvent, unsigned> inferred; // in how many logs
  std::vector<StaticEvent> order;
  for (Log& raw : logs) { // lines 11 to 16
    const Log log = preprocessed(raw);
    std::vector<StaticEvent> found;
    OneLog one(log, region, found);
    std::size_t sleep = 0;
    for (const Span& span : compute_regions(log)) {
      const bool orders = one.add_finished_events(span);
      if (orders) one.add_starting_event(span);
      mark_sleep(raw, sleep++, !orders);
    }
    std::set<StaticEvent> once;
    for (const StaticEvent& event : found)
      if (once.insert(event).second && inferred[event]++ == 0) order.push_back(event);
  }
  for (const StaticEvent& event : order) { // line 17
    const bool agreed = inferred[event] >= confidence * static_cast<double>(logs.size());
    (agreed ? result.events : result.low_confidence).push_back(event);
  }
  return result;
}

} // namespace reex::inference
