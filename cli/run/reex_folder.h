// The folder .reex, for the files of a run. It contains a .gitignore, so that git ignores it.
#pragma once

#include <string>

namespace reex {

// Creates PARENT/.reex/failures or, with a `part`, PARENT/.reex/PART/failures, and PARENT/.reex/.gitignore.
// Returns the absolute path of the failures folder. Throws UsageError if that is not possible.
std::string make_failures_folder(const std::string& parent, const std::string& part = "");

} // namespace reex
