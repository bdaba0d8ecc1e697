#include "imunit/infer.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace reex::inference {
namespace {

constexpr std::size_t k_most_events = 64; // of a schedule

std::string camel_case(const std::string& name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      result += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      upper = false;
    }
  }
  return result;
}

// The number of the statement among those of the same callee, in the order of the text.
unsigned number_of(const Recorded& recorded, const Source& source, StatementId at) {
  const std::string callee = callee_of(source, at);
  unsigned number = 1;
  for (StatementId each = 0; each < at; ++each) {
    const Statement& statement = source.statements()[static_cast<std::size_t>(each)];
    if (statement.kind == Statement::Kind::declaration && statement.calls.empty()) continue;
    const bool counts =
        recorded.bodies.count(source.function_of(each)) != 0 && recorded.sleeps.count(each) == 0;
    if (counts && callee_of(source, each) == callee) ++number;
  }
  return number;
}

std::string name_of(const StaticEvent& event, const Recorded& recorded, const Source& source) {
  if (event.named_by >= 0)
    return event.prefix + camel_case(callee_of(source, event.named_by)) +
           std::to_string(number_of(recorded, source, event.named_by));
  const int function = source.function_of(event.statement);
  const std::string& name = source.functions()[static_cast<std::size_t>(function)].name;
  return event.prefix +
         (name.empty() ? "Step" + std::to_string(source.line_of(event.statement)) : camel_case(name));
}

std::string base_of(const std::string& occurrence) { return occurrence.substr(0, occurrence.find('#')); }

// The first event of a place in the log goes there; sleeps and creations are statements, too.
bool begins_statement(EntryType type) {
  return type == EntryType::other_call || type == EntryType::sleep_call || type == EntryType::th_start ||
         type == EntryType::th_end;
}

// Names for the functions that one thread alone executes.
std::map<int, std::string> thread_names(const Recorded& recorded, const Source& source) {
  std::map<int, unsigned> threads;
  for (const auto& [thread, function] : recorded.thread_function) ++threads[function];
  std::map<int, std::string> result;
  std::set<std::string> used = {"main"};
  for (const auto& [thread, number] : recorded.thread_function) {
    const Function& function = source.functions()[static_cast<std::size_t>(number)];
    if (thread == 0 || threads[number] > 1 || !function.lambda || function.name.empty()) continue;
    if (used.insert(function.name).second) result[number] = function.name;
  }
  return result;
}

// Whether an ordering of the schedule, or one that follows from others, waits where the sleep did.
bool is_replaced(const Log& log, std::size_t sleep_return, const InferredOrderings& schedule) {
  const auto ends_in = [](const std::vector<Ordering>& orderings, const std::string& event) {
    return std::any_of(orderings.begin(), orderings.end(),
                       [&](const Ordering& ordering) { return ordering.after == event; });
  };
  for (std::size_t i = sleep_return + 1; i < log.size(); ++i)
    if (log[i].thread == log[sleep_return].thread && log[i].type == EntryType::event)
      return ends_in(schedule.orderings, log[i].info) || ends_in(schedule.transitive, log[i].info);
  return false;
}

// Which sleeps the schedule replaces, as enough of the logs say. One that different threads make is replaced
// for all of them, or stays.
template <typename LeaveOut>
void judge_sleeps(Inference& result, const std::vector<Log>& logs, double confidence,
                  const LeaveOut& leave_out) {
  std::map<StatementId, std::pair<unsigned, std::string>> stays; // in how many logs, and why
  for (const Log& raw : logs) {
    const Log log = preprocessed(raw);
    std::map<StatementId, std::string> why;
    for (std::size_t i = 0; i < log.size(); ++i) {
      if (log[i].type != EntryType::sleep_return) continue;
      result.sleeps.insert(log[i].statement);
      if (log[i].idle)
        why.emplace(log[i].statement, "no other thread comes to a halt while it lasts");
      else if (!is_replaced(log, i, result.schedule))
        why.emplace(log[i].statement, "no ordering takes its place");
    }
    for (const auto& [at, text] : why) ++stays.try_emplace(at, 0, text).first->second.first;
  }
  for (const auto& [at, times] : stays) {
    const auto& [count, why] = times;
    if (static_cast<double>(logs.size() - count) >= confidence * static_cast<double>(logs.size()) &&
        count < logs.size())
      continue;
    result.sleeps.erase(at);
    leave_out(at, "the sleep", why);
  }
}

// What several logs say of the same test.
Recorded joined(const std::vector<Recorded>& all) {
  Recorded result = all.front();
  std::set<LeftOut> left_out(result.left_out.begin(), result.left_out.end());
  for (const Recorded& each : all) {
    result.bodies.insert(each.bodies.begin(), each.bodies.end());
    result.sleeps.insert(each.sleeps.begin(), each.sleeps.end());
    left_out.insert(each.left_out.begin(), each.left_out.end());
  }
  result.left_out.assign(left_out.begin(), left_out.end());
  return result;
}

} // namespace

Log with_events(const Log& log, const std::vector<Event>& events) {
  Log result;
  std::map<std::string, unsigned> occurrences;
  for (const LogEntry& entry : log) {
    if (begins_statement(entry.type) && entry.statement != k_no_statement)
      for (const Event& event : events)
        if (event.statement == entry.statement) {
          ++occurrences[event.name];
          result.push_back({.type = EntryType::event,
                            .thread = entry.thread,
                            .info = event.name + '#' + std::to_string(occurrences[event.name]),
                            .statement = entry.statement,
                            .time = entry.time});
        }
    result.push_back(entry);
  }
  for (const Event& event : events)
    if (event.repeats) ++occurrences[event.name];
  for (LogEntry& entry : result)
    if (entry.type == EntryType::event && occurrences[base_of(entry.info)] == 1)
      entry.info = base_of(entry.info);
  return result;
}

Inference infer(const std::vector<Recorded>& executions, const Source& source, const InferOptions& options) {
  Inference result;
  const Recorded recorded = joined(executions);
  result.left_out = recorded.left_out;
  const auto leave_out = [&](StatementId at, const std::string& what, const std::string& why) {
    result.left_out.push_back({source.line_of(at), what, why});
  };
  std::vector<Log> logs;
  for (const Recorded& each : executions) logs.push_back(each.log);
  const InferredEvents inferred = infer_events(logs, options.confidence, options.region);
  std::set<std::string> names;
  for (const StaticEvent& event : inferred.events) {
    std::string name = name_of(event, recorded, source);
    const bool header =
        event.statement >= 0 &&
        source.statements()[static_cast<std::size_t>(event.statement)].kind == Statement::Kind::loop;
    if (header) {
      leave_out(event.statement, "the event " + name, "it would be in the header of a loop");
      continue;
    }
    const std::string plain = name;
    for (unsigned i = 2; !names.insert(name).second; ++i) name = plain + '_' + std::to_string(i);
    const bool repeats =
        event.statement >= 0 && source.statements()[static_cast<std::size_t>(event.statement)].in_loop;
    const unsigned line =
        source.is_block(event.statement)
            ? source.line(source.statements()[static_cast<std::size_t>(event.statement)].end - 1)
            : source.line_of(event.statement);
    result.events.push_back({name, event.statement, line, repeats});
  }
  // At one place, what is finished comes before what starts.
  std::stable_sort(result.events.begin(), result.events.end(), [](const Event& a, const Event& b) {
    return a.name.starts_with("finished") && !b.name.starts_with("finished");
  });
  for (Log& log : logs) log = with_events(log, result.events);
  result.schedule = infer_orderings(logs, options.confidence);
  result.log = logs.front();

  std::set<std::string> used;
  for (const Ordering& ordering : result.schedule.orderings) {
    used.insert(base_of(ordering.before));
    used.insert(base_of(ordering.after));
  }
  std::erase_if(result.events, [&](const Event& event) {
    if (used.count(event.name) != 0) return false;
    leave_out(event.statement, "the event " + event.name, "no ordering needs it");
    return true;
  });
  std::sort(result.events.begin(), result.events.end(), [](const Event& a, const Event& b) {
    return std::pair(a.line, a.name) < std::pair(b.line, b.name);
  });
  judge_sleeps(result, logs, options.confidence, leave_out);
  if (used.size() > k_most_events) leave_out(k_no_statement, "the schedule", "it has more than 64 events");
  result.threads = thread_names(recorded, source);
  return result;
}

} // namespace reex::inference
