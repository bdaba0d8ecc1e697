// The commits of a repository, as the pre-push hook needs them: what is here, what a remote has, and where
// two lines of development parted.
//
// Thread safety: the parent process uses a history, on one thread at a time.
//
// Invariants: nothing here changes the repository. Commits and trees are named by 40 hexadecimal digits.
//
// Cost: a walk reads the commits that the remotes do not have.
//
// Errors: every function may throw RepositoryError. Where commits are missing because the clone is shallow,
// the text says so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "git/error.h"

namespace reex {

class History {
public:
  virtual ~History() = default;

  // The commit that an object is or, as an annotated tag, points to. nullopt if the object is not here, or
  // leads to no commit.
  virtual std::optional<std::string> commit_of(const std::string& object) const = 0;
  virtual std::string tree_of(const std::string& commit) const = 0;
  virtual std::optional<std::string> first_parent(const std::string& commit) const = 0;
  // The checked-out commit; nullopt on a branch without commits.
  virtual std::optional<std::string> checked_out() const = 0;

  // nullopt if the two have no common ancestor.
  virtual std::optional<std::string> merge_base(const std::string& one, const std::string& two) const = 0;

  // The commit of a reference with this full name, as "refs/remotes/origin/main".
  virtual std::optional<std::string> reference(const std::string& name) const = 0;
  // The full name that "refs/remotes/origin/HEAD" stands for; nullopt if there is no such reference.
  virtual std::optional<std::string> head_of_remote(const std::string& remote) const = 0;
  // The commits that `tip` reaches and no remote-tracking reference does: the first of them, before all
  // others. nullopt if there is none.
  virtual std::optional<std::string> first_unpublished(const std::string& tip) const = 0;

  virtual bool shallow() const = 0;
  // The folder of the repository itself: .git, or that of the worktree.
  virtual std::string git_folder() const = 0;
};

// Of the repository that contains `path`.
std::unique_ptr<History> open_history(const std::string& path);

} // namespace reex
