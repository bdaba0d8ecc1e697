// The report as GitHub's Markdown, for a comment on a pull request: the verdict, a table of the tests, and
// for each failure the changed lines, the interleaving in a folded block, and the replay command.
//
// A comment has at most 65,536 characters; bytes are counted, which are never fewer. What does not fit is
// left out as a whole, the interleavings of the last failures first, and the text says what is missing.
#pragma once

#include <string>

#include "report/document/run_report.h"

namespace reex {

constexpr std::size_t k_markdown_limit = 65536;

std::string markdown_comment(const RunReport& report, std::size_t limit = k_markdown_limit);

} // namespace reex
