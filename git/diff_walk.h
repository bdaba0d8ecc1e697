// Inside git/: a libgit2 diff as FileChanges. Not for other rooms.
#pragma once

#include <string>
#include <vector>

#include <git2.h>

#include "git/change.h"

namespace reex::detail {

// libgit2 must be initialized as long as one of these lives; it counts its users itself.
class LibraryUse {
public:
  LibraryUse() { git_libgit2_init(); }
  ~LibraryUse() { git_libgit2_shutdown(); }
  LibraryUse(const LibraryUse&) = delete;
  LibraryUse& operator=(const LibraryUse&) = delete;
};

// libgit2's own words for the last error, on one line.
std::string last_error();

// The options every diff here is made with.
git_diff_options diff_options();
// Finds renames and turns the diff into plain values.
std::vector<FileChange> walk_diff(git_diff* diff, bool find_renames);

} // namespace reex::detail
