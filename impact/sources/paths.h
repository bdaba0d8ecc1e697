// The one name of each file.
#pragma once

#include <string>

namespace reex::impact {

// The absolute path without links. A relative path is relative to `folder`.
std::string normalized(const std::string& path, const std::string& folder);

} // namespace reex::impact
