// Writes reports to standard output or to files. If this fails, it is an error and not a silent loss.
#pragma once

#include <string>

namespace reex {

// Writes to standard output, without delay.
void print(const std::string& text);
// "-" is standard output. Throws UsageError if the file cannot be written.
void write_report(const std::string& path, const std::string& text);
// Prints a line for the user to standard error: "reex: ...".
void say(const std::string& line);

} // namespace reex
