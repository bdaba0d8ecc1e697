// Paths for reports.
#pragma once

#include <string>

namespace reex {

// The path relative to `folder` if it is inside the folder, else the path itself. Both are absolute; the
// folder may be "".
std::string path_within(const std::string& path, const std::string& folder);

std::string base_name(const std::string& path);

} // namespace reex
