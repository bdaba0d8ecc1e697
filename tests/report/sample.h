// Hand-made runs, failures and a change, like those from the explorer and from impact collection.
#pragma once

#include <map>
#include <string>

#include "reex/run/result.h"
#include "report/change_excerpt.h"
#include "report/terminal_options.h"
#include "report/text/source_lines.h"

namespace reex::sample {

class FakeSources : public SourceLines {
public:
  std::string trimmed(const std::string& file, unsigned line) override;
};

Frame frame(const std::string& function, const std::string& file, unsigned line, bool changed = false);
Frame library_frame(const std::string& function);
TraceStep step(unsigned ordinal, int thread, const std::string& operation, const std::string& object,
               Frame at);

// A lost wake-up between T1 and T2 of a queue, with one preemption, on a changed line.
Failure deadlock();
// T1 writes a flag on a changed line, and T2 reads it.
Finding race();
Failure failing_race();
// T2 uses a node that main allocated before the first thread and T1 has freed.
Failure use_after_free();
// The commit that removed the lock.
ChangeView change();
// A run that passes, with bound 2.
TestRun passing_run();
TerminalOptions options();

} // namespace reex::sample
