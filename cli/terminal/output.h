// Writes reports to standard output or to files. If this fails, it is an error and not a silent loss.
#pragma once

#include <string>

namespace reex {

// Writes to standard output, without delay.
void print(const std::string& text);
// Throws UsageError if a report cannot be written to this path: there is no such folder, it is a folder
// itself, or permission is missing. To be called before the work whose report it is. "-" is standard output.
void check_report_path(const std::string& path);
// Throws UsageError if the file cannot be written; an earlier file is then still there. Where it succeeds,
// the report is on the disk.
void write_report(const std::string& path, const std::string& text);
// Prints a line for the user to standard error: "reex: ...".
void say(const std::string& line);

} // namespace reex
