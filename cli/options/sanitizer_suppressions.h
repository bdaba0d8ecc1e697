// Files of suppressions as ThreadSanitizer reads them (TSAN_OPTIONS=suppressions=FILE): a line for each, as
// "race:Stats::add". Lines that begin with # are comments.
//
// Invariants: a line covers no more than it does there. What reex has no counterpart for is named in a note.
//
// Errors: UsageError for a file that cannot be read, or a line that is none of these; it names the line.
#pragma once

#include <string>
#include <vector>

#include "cli/options/project_file.h"

namespace reex {

struct SanitizerSuppressions {
  std::vector<Suppression> all;
  std::vector<std::string> notes;
};

// `name` is the file's name for errors and reports.
SanitizerSuppressions parse_sanitizer_suppressions(const std::string& text, const std::string& name);
SanitizerSuppressions read_sanitizer_suppressions(const std::string& path);

// Whether the pattern occurs in the text. `*` stands for anything, `^` at the front and `$` at the end for
// the ends of the text.
bool sanitizer_pattern_matches(const std::string& pattern, const std::string& text);

} // namespace reex
