#include "imunit/log.h"

namespace reex::inference {

const char* to_string(EntryType type) {
  constexpr const char* k_names[] = {"SLEEP_CALL",   "SLEEP_RETURN", "BLOCK_CALL",
                                     "BLOCK_RETURN", "OTHER_CALL",   "OTHER_RETURN",
                                     "TH_START",     "TH_END",       "EVENT"};
  return k_names[static_cast<unsigned>(type)];
}

std::string log_text(const Log& log, const Source* source) {
  std::string text;
  for (const LogEntry& entry : log) {
    text += to_string(entry.type);
    if (entry.type == EntryType::th_start)
      text += "(T" + std::to_string(entry.child) + ')';
    else if (!entry.info.empty())
      text += '(' + entry.info + ')';
    text += ", T" + std::to_string(entry.thread);
    if (entry.statement != k_no_statement)
      text += ", " + std::to_string(source == nullptr ? static_cast<unsigned>(entry.statement)
                                                      : source->line_of(entry.statement));
    text += '\n';
  }
  return text;
}

std::size_t sleep_call_of(const Log& log, std::size_t sleep_return) {
  const LogEntry& entry = log[sleep_return];
  const int sleeper = entry.child >= 0 ? entry.child : entry.thread; // preprocessed() has moved it
  for (std::size_t n = sleep_return; n-- > 0;)
    if (log[n].thread == sleeper && log[n].type == EntryType::sleep_call) return n;
  return sleep_return;
}

namespace {

// Times that differ by less are the same for a sleep of this length.
std::uint64_t moment(std::uint64_t length) { return (length + 15) / 16; }

} // namespace

std::size_t end_of_sleep(const Log& log, std::size_t sleep_return) {
  const std::size_t begin = sleep_call_of(log, sleep_return);
  const std::uint64_t end = log[sleep_return].time;
  const std::uint64_t length = end - log[begin].time;
  std::size_t result = sleep_return;
  while (length != 0 && result > begin + 1 && end - log[result - 1].time < moment(length)) --result;
  return result;
}

std::size_t begin_of_sleep(const Log& log, std::size_t sleep_call, std::size_t sleep_return) {
  const std::uint64_t begin = log[sleep_call].time;
  const std::uint64_t length = log[sleep_return].time - begin;
  std::size_t result = sleep_call;
  while (length != 0 && result > 0 && begin - log[result - 1].time < moment(length)) --result;
  return result;
}

Log preprocessed(const Log& log) {
  Log result = log;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i].type != EntryType::sleep_return) continue;
    for (std::size_t j = i + 1; j < result.size(); ++j) {
      if (result[j].thread != result[i].thread) continue;
      if (result[j].type == EntryType::th_start) {
        LogEntry sleep = result[i];
        sleep.child = sleep.thread;
        sleep.thread = result[j].child;
        result[i] = result[j];
        result[j] = sleep;
      }
      break;
    }
  }
  return result;
}

} // namespace reex::inference
