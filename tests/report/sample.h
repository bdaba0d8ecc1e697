// Runs, failures and a change made by hand, as the explorer and impact collection would give them.
#pragma once

#include <map>
#include <string>

#include "reex/run/result.h"
#include "report/change_excerpt.h"
#include "report/source_lines.h"
#include "report/terminal_options.h"

namespace reex::sample {

class FakeSources : public SourceLines {
public:
  std::string trimmed(const std::string& file, unsigned line) override;
};

Frame frame(const std::string& function, const std::string& file, unsigned line, bool changed = false);
Frame library_frame(const std::string& function);
TraceStep step(unsigned ordinal, int thread, const std::string& operation, const std::string& object,
               Frame at);

// A lost wake-up between T1 and T2 of a queue, one preemption, on a changed line.
Failure deadlock();
// T1 writes a flag, on a changed line, that T2 reads.
Finding race();
// T2 uses a node that T1 freed and main allocated before there were threads.
Failure use_after_free();
// The commit that took the lock away.
ChangeView change();
// Passing, bound 2.
TestRun passing_run();
TerminalOptions options();

} // namespace reex::sample
