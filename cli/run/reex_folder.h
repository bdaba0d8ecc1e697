// The folder .reex, where a run leaves its schedule files. It ignores itself in git.
#pragma once

#include <string>

namespace reex {

// Makes PARENT/.reex/failures and PARENT/.reex/.gitignore, and returns the former as an absolute path; with a
// `part`, PARENT/.reex/PART/failures. Throws UsageError where that is not possible.
std::string make_failures_folder(const std::string& parent, const std::string& part = "");

} // namespace reex
