// A version-control repository as impact collection sees it. Used in the parent process alone, by one thread
// at a time. Everything throws RepositoryError. Two implementations: open_repository() (libgit2) and
// FakeRepository.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/change.h"
#include "git/error.h"

namespace reex {

class Repository {
public:
  virtual ~Repository() = default;

  // The absolute path of the working tree, without a trailing slash.
  virtual std::string root() const = 0;

  // The 40 hexadecimal digits of the commit that a revision (HEAD~1, a branch, a tag, an abbreviated id)
  // names.
  virtual std::string resolve(const std::string& revision) = 0;
  virtual std::string merge_base(const std::string& one, const std::string& two) = 0;

  // The new side of diff(): the commit `head`, or what is staged, or the files of the working tree. Renames
  // are found; files that git does not track are left out.
  virtual std::vector<FileChange> diff_commits(const std::string& base, const std::string& head) = 0;
  virtual std::vector<FileChange> diff_staged(const std::string& base) = 0;
  virtual std::vector<FileChange> diff_working_tree(const std::string& base) = 0;

  // A file's bytes at a revision, by its path from the root; nullopt if there is no such file.
  virtual std::optional<std::string> content(const std::string& revision, const std::string& path) = 0;
  virtual std::optional<std::string> staged_content(const std::string& path) = 0;
};

// The repository that `path` (a file or folder) lies in.
std::unique_ptr<Repository> open_repository(const std::string& path);

// The changes of a unified diff, as `git diff` or `diff -u` write it (`--diff FILE`).
std::vector<FileChange> parse_diff(std::string_view text);

} // namespace reex
