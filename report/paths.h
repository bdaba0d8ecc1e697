// Paths as a reader wants them.
#pragma once

#include <string>

namespace reex {

// Relative to `folder` where the path lies inside it, else unchanged. Both absolute; "" as folder changes
// nothing.
std::string path_within(const std::string& path, const std::string& folder);

std::string base_name(const std::string& path);

} // namespace reex
