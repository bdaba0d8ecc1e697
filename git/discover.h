// Finds the root of a repository without libgit2, where nothing about the repository is unusual.
//
// Cost: some dozens of system calls, and the files of git's configuration.
//
// Errors: none. Where the answer depends on more than the files here tell (a worktree, a submodule, a bare
// repository, another owner, an extension), `certain` is false, and libgit2 must be asked.
#pragma once

#include <string>

namespace reex {

struct Discovery {
  bool certain = false;
  std::string root; // of the working tree; "" if the path is in no repository
};

Discovery discover(const std::string& path);

// Whether git's configuration may have settings of reex: one of its files has its name, or includes others.
bool may_configure_reex(const Discovery& certain);

} // namespace reex
