// SIGINT and SIGTERM. While a run is prepared, they end the process with status 130 after its last words.
// While it goes on, they are a flag, so that an interrupted run still writes its reports; a second signal,
// some seconds later, ends the process at once.
//
// Callers: the parent process, on its main thread.
#pragma once

#include <string>
#include <vector>

namespace reex {

struct LastWords {
  int file = 2; // a descriptor
  std::string text;
};

// A line for standard error. A terminal has shown "^C" before it.
std::string last_line(const std::string& said);

// Until watch_for_interruption() is called. `words` are written in their order.
void end_when_interrupted(std::vector<LastWords> words);

void watch_for_interruption();
bool interruption_requested();

} // namespace reex
