// Which lines of the commit took part in an execution, as an excerpt of its diff.
#pragma once

#include <string>
#include <vector>

#include "git/change.h"
#include "reex/run/result.h"
#include "report/source_lines.h"
#include "report/style.h"

namespace reex {

// The change under test, for readers.
struct ChangeView {
  std::string title; // "HEAD~1 to the files on disk"
  std::string root;  // of the working tree, absolute: paths of `changes` are relative to it
  std::vector<FileChange> changes;
};

// The hunks whose new side the execution passed, with '*' and the threads at the lines it passed; impacted
// lines outside any hunk are named with their text. Lines without line feeds.
std::vector<std::string> change_excerpt(const ChangeView& change, const Schedule& schedule,
                                        const std::vector<ThreadPosition>& where, SourceLines& sources,
                                        const Style& style, std::size_t width);

} // namespace reex
