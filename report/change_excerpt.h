// Shows the changed lines that took part in an execution, as an excerpt of the change's diff.
#pragma once

#include <string>
#include <vector>

#include "git/change.h"
#include "reex/run/result.h"
#include "report/style.h"
#include "report/text/source_lines.h"

namespace reex {

// The change under test, for reports.
struct ChangeView {
  std::string title; // "HEAD~1 to the files on disk"
  std::string root;  // of the working tree, absolute; the paths of `changes` are relative to it
  std::vector<FileChange> changes;
};

// The hunks of which the execution passed a new line, or a line beside removed ones. Each line that it passed
// has a '*' and the threads.
// If it passed none of them, the hunks of which it passed any line, and a line that says so come first.
// Impacted lines outside of the hunks follow with their text. The result's lines have no line feeds.
std::vector<std::string> change_excerpt(const ChangeView& change, const Schedule& schedule,
                                        const std::vector<ThreadPosition>& where, SourceLines& sources,
                                        const Style& style, std::size_t width);

} // namespace reex
