// The text of a failure for the terminal: kind and test, the changed lines that took part, the trace with one
// column for each thread, the positions of the threads, the output, the key, and the replay command.
#pragma once

#include <string>
#include <vector>

#include "reex/run/result.h"
#include "report/change_excerpt.h"
#include "report/terminal_options.h"
#include "report/text/source_lines.h"

namespace reex {

// The whole text. It ends with a line feed after the replay command. `change` is null without a change under
// test.
std::string failure_text(const Failure& failure, const std::string& test, const ChangeView* change,
                         SourceLines& sources, const TerminalOptions& options);

// The middle of the text, which the report of a replay also uses: excerpt, trace, positions, output.
std::string execution_text(const Failure& failure, const ChangeView* change, SourceLines& sources,
                           const TerminalOptions& options);

// What the build of the base does under the failing schedule.
std::string base_text(const BaseProof& proof, const TerminalOptions& options);

// The end of the text: the key and the replay command.
std::string closing_text(const Failure& failure, const TerminalOptions& options);

// The command that replays a schedule file, to be pasted. `path` is absolute.
std::string replay_command(const TerminalOptions& options, const std::string& path);

// "Queue.Drain"; for a plain program, the binary's name.
std::string test_title(const std::string& binary, const std::string& name);

} // namespace reex
