// A failure as it is shown on the terminal: kind and test, the changed lines that took part, one column per
// thread, where the threads stand, what was printed, the key, and last the replay command.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/change_excerpt.h"
#include "report/source_lines.h"
#include "report/terminal_options.h"

namespace reex {

// `change` is null without a change under test. Ends with a line feed after the replay command.
std::string failure_text(const Failure& failure, const std::string& test, const ChangeView* change,
                         SourceLines& sources, const TerminalOptions& options);

// The middle of it, shared with the report of a replay: excerpt, trace, positions, output.
std::string execution_text(const Failure& failure, const ChangeView* change, SourceLines& sources,
                           const TerminalOptions& options);

// What the base's build of the test does under the failing schedule.
std::string base_text(const BaseProof& proof, const TerminalOptions& options);

// The end of it: the key and the replay command.
std::string closing_text(const Failure& failure, const TerminalOptions& options);

// "Queue.Drain", or the binary's name for a plain program.
std::string test_title(const std::string& binary, const std::string& name);

} // namespace reex
