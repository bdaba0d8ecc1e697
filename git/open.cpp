#include "git/open.h"

#include "git/diff_walk.h"
#include "git/error.h"

namespace reex::detail {
namespace {

[[noreturn]] void fail_to_open(const std::string& path) {
  const git_error* error = git_error_last();
  const std::string words = last_error();
  if (words.find("objectformat") != std::string::npos ||
      words.find("repository version") != std::string::npos) {
    throw RepositoryError("the repository of " + path +
                          " uses an object format (SHA-256) that libgit2 cannot " +
                          "read: give the change with --diff FILE");
  }
  // The second text is what libgit2 1.5 says where there is no safe.directory at all.
  if (error != nullptr &&
      (words.find("not owned") != std::string::npos || words.find("safe.directory") != std::string::npos)) {
    throw RepositoryError("the repository of " + path + " belongs to another user: run " +
                          "`git config --global --add safe.directory <folder>`");
  }
  if (words.find("could not find repository") != std::string::npos) {
    throw NoRepository("no git repository at " + path +
                       ": run inside one, or give the change with --diff FILE");
  }
  throw RepositoryError("the repository of " + path + " cannot be opened (" + words +
                        "): give the change with --diff FILE");
}

// libgit2 1.5 knows the folders that safe.directory names, but not that `*` stands for all of them.
bool all_directories_are_safe() {
  git_config* raw = nullptr;
  if (git_config_open_default(&raw) != 0) return false;
  const Pointer<git_config, git_config_free> config(raw);
  bool all = false;
  git_config_get_multivar_foreach(
      raw, "safe.directory", nullptr,
      [](const git_config_entry* entry, void* found) {
        const std::string value = entry->value == nullptr ? "" : entry->value;
        bool& safe = *static_cast<bool*>(found);
        safe = value == "*" || (safe && !value.empty()); // an empty value forgets those before it
        return 0;
      },
      &all);
  return all;
}

} // namespace

RepositoryPointer open(const std::string& path) {
  git_repository* raw = nullptr;
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, all_directories_are_safe() ? 0 : 1);
  if (git_repository_open_ext(&raw, path.c_str(), 0, nullptr) != 0) fail_to_open(path);
  return RepositoryPointer(raw);
}

std::string hex(const git_oid& oid) {
  char text[GIT_OID_HEXSZ + 1] = {};
  git_oid_tostr(text, sizeof text, &oid);
  return text;
}

} // namespace reex::detail
