// Turns a libgit2 diff into FileChanges. Only for files in git/.
#pragma once

#include <string>
#include <vector>

#include <git2.h>

#include "git/change.h"

namespace reex::detail {

// Initializes libgit2, once: it stays so until the process ends.
class LibraryUse {
public:
  LibraryUse();
};

// libgit2's text for the last error, on one line.
std::string last_error();

// The options of every diff.
git_diff_options diff_options();
// Whether the delta is of a commit of another repository.
bool is_submodule(const git_diff_delta& delta);
// Turns the diff into plain values, without its submodules; if `find_renames` is set, it finds renames first.
// Throws RepositoryError with the remedy if the contents of a file are not here, or if a file is not merged.
std::vector<FileChange> walk_diff(git_diff* diff, bool find_renames, const std::string& remedy);

} // namespace reex::detail
