// Where reports go: standard output, or files. What cannot be written is an error, not a silent loss.
#pragma once

#include <string>

namespace reex {

// To standard output, at once.
void print(const std::string& text);
// "-" is standard output. Throws UsageError if the file cannot be written.
void write_report(const std::string& path, const std::string& text);
// A line for people, on standard error: "reex: ...".
void say(const std::string& line);

} // namespace reex
