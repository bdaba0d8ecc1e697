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
