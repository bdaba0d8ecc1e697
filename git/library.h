// What the module libreex_git.so gives: everything that needs libgit2. The module is loaded with the first
// call that needs it, because libgit2 and the libraries that it draws in take longer to start than a small
// test.
//
// Thread safety: library() may be called by several threads.
//
// Errors: library() throws RepositoryError if the module cannot be loaded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "git/change.h"
#include "git/config.h"
#include "git/history.h"
#include "git/repository.h"

namespace reex::detail {

struct GitLibrary {
  std::unique_ptr<Repository> (*open_repository)(const std::string& path);
  std::unique_ptr<History> (*open_history)(const std::string& path);
  std::unique_ptr<GitConfig> (*open_config)(const std::string& folder);
  std::vector<FileChange> (*parse_diff)(std::string_view text);
  std::string (*compare_texts)(const std::string& path, std::string_view before, std::string_view after);
};

const GitLibrary& library();

// Defined in the module.
std::unique_ptr<Repository> make_repository(const std::string& path);
std::unique_ptr<History> make_history(const std::string& path);
std::unique_ptr<GitConfig> make_config(const std::string& folder);
std::vector<FileChange> read_diff(std::string_view text);
std::string compare_texts(const std::string& path, std::string_view before, std::string_view after);

} // namespace reex::detail
