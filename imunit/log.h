// A log of an execution of a sleep-based test, as in Figure 3.3 of Jagannath's dissertation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "imunit/source/source.h"

namespace reex::inference {

enum class EntryType : std::uint8_t {
  sleep_call,
  sleep_return,
  block_call,
  block_return,
  other_call,   // a statement of the test's own file begins
  other_return, // ... and is over
  th_start,     // `child` begins to exist
  th_end,       // the thread ends; or what it executes of the test's own file, as a pool's task
  event
};
const char* to_string(EntryType type); // "SLEEP_CALL"

// The info of a BLOCK_CALL that waits for a thread's end.
inline constexpr std::string_view k_join = "join";

struct LogEntry {
  EntryType type = EntryType::other_call;
  int thread = 0;
  std::string info = "";                  // the callee; of an event, its name
  StatementId statement = k_no_statement; // of the test's own file
  int child = -1;                         // of th_start; of a sleep_return that was moved, who slept
  bool idle = false;                      // of a sleep: it orders nothing
  std::uint64_t time = 0;                 // virtual, in ns

  bool operator==(const LogEntry&) const = default;
};

using Log = std::vector<LogEntry>;

// "SLEEP_CALL, T0, 334" and "OTHER_CALL(add), T1, 326"; lines instead of statements if there is a source.
std::string log_text(const Log& log, const Source* source = nullptr);

// The SLEEP_CALL of a SLEEP_RETURN, in a preprocessed log; the return itself if there is none.
std::size_t sleep_call_of(const Log& log, std::size_t sleep_return);

// Where the entries begin that no SLEEP_RETURN may order: time had come to the end of its sleep. So others
// that slept as long, and have gone on first, are not what it waited for. Clocks that are read move time a
// little; a sixteenth of the sleep's length counts as that.
std::size_t end_of_sleep(const Log& log, std::size_t sleep_return);

// Where the entries begin that were made at the same time as the SLEEP_CALL, by the same measure. A thread
// that comes to a halt there does so beside the sleep: only the machine, or the scheduler, decides which of
// the two is logged first.
std::size_t begin_of_sleep(const Log& log, std::size_t sleep_call, std::size_t sleep_return);

// preprocessLog of Figure 3.6: a sleep right before a thread's creation is one that the created thread makes
// first. Events take part in it as any entry.
Log preprocessed(const Log& log);

} // namespace reex::inference
