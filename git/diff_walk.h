// Turns a libgit2 diff into FileChanges. Only for files in git/.
#pragma once

#include <string>
#include <vector>

#include <git2.h>

#include "git/change.h"

namespace reex::detail {

// Keeps libgit2 initialized as long as the object lives. libgit2 counts its users itself.
class LibraryUse {
public:
  LibraryUse() { git_libgit2_init(); }
  ~LibraryUse() { git_libgit2_shutdown(); }
  LibraryUse(const LibraryUse&) = delete;
  LibraryUse& operator=(const LibraryUse&) = delete;
};

// libgit2's text for the last error, on one line.
std::string last_error();

// The options of every diff.
git_diff_options diff_options();
// Turns the diff into plain values; if `find_renames` is set, it finds renames first.
std::vector<FileChange> walk_diff(git_diff* diff, bool find_renames);

} // namespace reex::detail
