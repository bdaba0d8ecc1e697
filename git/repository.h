// A version-control repository, as impact collection needs it. There are two implementations:
// open_repository() (libgit2), and FakeRepository for tests.
// libgit2 is loaded with the first that is opened (library.h).
//
// Thread safety: the parent process uses a repository, on one thread at a time.
//
// Invariants: nothing here changes the repository or its files. All paths are relative to root().
//
// Cost: a diff reads the changed files of both sides, and compares them to find renames.
//
// Errors: every function may throw RepositoryError.
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

  // The absolute path of the working tree, without a slash at the end.
  virtual std::string root() const = 0;

  // The commit that a revision (HEAD~1, a branch, a tag, an abbreviated id) names, as 40 hexadecimal digits.
  virtual std::string resolve(const std::string& revision) = 0;
  virtual std::string merge_base(const std::string& one, const std::string& two) = 0;

  // The old side of each diff is the commit `base`. The new side is the commit `head`, or what is staged, or
  // the files of the working tree. The diffs contain renames. They do not contain files that git does not
  // track.
  virtual std::vector<FileChange> diff_commits(const std::string& base, const std::string& head) = 0;
  virtual std::vector<FileChange> diff_staged(const std::string& base) = 0;
  virtual std::vector<FileChange> diff_working_tree(const std::string& base) = 0;

  // The bytes of a file at a revision, or of its staged version; nullopt if there is no such file.
  virtual std::optional<std::string> content(const std::string& revision, const std::string& path) = 0;
  virtual std::optional<std::string> staged_content(const std::string& path) = 0;
};

// Opens the repository that contains `path`, a file or a folder.
std::unique_ptr<Repository> open_repository(const std::string& path);

// The root of that repository; "" if there is none, or none that can be opened. Cheap: see discover.h.
std::string root_of_repository(const std::string& path);

// Reads a unified diff, as `git diff` or `diff -u` write it (`--diff FILE`).
std::vector<FileChange> parse_diff(std::string_view text);

} // namespace reex
