#include "git/repository.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>

#include <git2.h>

#include "git/diff_walk.h"
#include "git/library.h"
#include "git/open.h"

namespace reex {
namespace {

using detail::hex;
using detail::ObjectPointer;
using detail::Pointer;
using detail::RepositoryPointer;
using TreePointer = Pointer<git_tree, git_tree_free>;
using DiffPointer = Pointer<git_diff, git_diff_free>;
using EntryPointer = Pointer<git_tree_entry, git_tree_entry_free>;
using BlobPointer = Pointer<git_blob, git_blob_free>;
using IndexPointer = Pointer<git_index, git_index_free>;
using ConfigPointer = Pointer<git_config, git_config_free>;

class Libgit2Repository : public Repository {
public:
  explicit Libgit2Repository(const std::string& path) : m_repository(detail::open(path)) {
    const char* work = git_repository_workdir(m_repository.get());
    if (work == nullptr) {
      throw RepositoryError("the repository of " + path + " is bare: run where its files are checked out");
    }
    std::error_code error;
    m_root = std::filesystem::canonical(work, error).string();
    if (error) m_root = work;
    while (m_root.size() > 1 && m_root.back() == '/') m_root.pop_back();
  }

  std::string root() const override { return m_root; }

  std::string resolve(const std::string& revision) override {
    return hex(*git_object_id(commit_of(revision).get()));
  }

  std::string merge_base(const std::string& one, const std::string& two) override {
    const ObjectPointer a = commit_of(one);
    const ObjectPointer b = commit_of(two);
    git_oid base;
    if (git_merge_base(&base, m_repository.get(), git_object_id(a.get()), git_object_id(b.get())) != 0) {
      throw RepositoryError(one + " and " + two +
                            " have no common ancestor: name the base itself with --base");
    }
    return hex(base);
  }

  std::vector<FileChange> diff_commits(const std::string& base, const std::string& head) override {
    const TreePointer from = tree_of(base);
    const TreePointer to = tree_of(head);
    const git_diff_options options = detail::diff_options();
    git_diff* raw = nullptr;
    return finish(git_diff_tree_to_tree(&raw, m_repository.get(), from.get(), to.get(), &options), raw);
  }

  std::vector<FileChange> diff_staged(const std::string& base) override {
    const TreePointer from = tree_of(base);
    const git_diff_options options = detail::diff_options();
    git_diff* raw = nullptr;
    return finish(git_diff_tree_to_index(&raw, m_repository.get(), from.get(), nullptr, &options), raw);
  }

  std::vector<FileChange> diff_working_tree(const std::string& base) override {
    const TreePointer from = tree_of(base);
    const git_diff_options options = detail::diff_options();
    git_diff* raw = nullptr;
    std::vector<FileChange> changes =
        finish(git_diff_tree_to_workdir_with_index(&raw, m_repository.get(), from.get(), &options), raw);
    std::erase_if(changes, [this](const FileChange& change) {
      return change.status == FileStatus::deleted && is_left_out(change.old_path);
    });
    return changes;
  }

  std::optional<std::string> content(const std::string& revision, const std::string& path) override {
    const TreePointer tree = tree_of(revision);
    git_tree_entry* raw = nullptr;
    if (git_tree_entry_bypath(&raw, tree.get(), path.c_str()) != 0)
      return submodule_content(tree.get(), path);
    const EntryPointer entry(raw);
    if (git_tree_entry_type(raw) != GIT_OBJECT_BLOB) return std::nullopt;
    return blob_text(*git_tree_entry_id(raw), path);
  }

  std::optional<std::string> staged_content(const std::string& path) override {
    git_index* raw = nullptr;
    if (git_repository_index(&raw, m_repository.get()) != 0) return std::nullopt;
    const IndexPointer index(raw);
    const git_index_entry* entry = git_index_get_bypath(raw, path.c_str(), 0);
    if (entry == nullptr || entry->mode == GIT_FILEMODE_COMMIT) return std::nullopt;
    return blob_text(entry->id, path);
  }

private:
  // By a sparse checkout: libgit2 takes the file for deleted.
  bool is_left_out(const std::string& path) {
    git_index* raw = nullptr;
    if (git_repository_index(&raw, m_repository.get()) != 0) return false;
    const IndexPointer index(raw);
    const git_index_entry* entry = git_index_get_bypath(raw, path.c_str(), 0);
    return entry != nullptr && (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
  }

  ObjectPointer commit_of(const std::string& revision) {
    git_object* raw = nullptr;
    if (revision.empty() || git_revparse_single(&raw, m_repository.get(), revision.c_str()) != 0) {
      throw RepositoryError("unknown revision '" + revision +
                            "': name a commit that `git log` shows, or fetch it");
    }
    const ObjectPointer object(raw);
    git_object* commit = nullptr;
    if (git_object_peel(&commit, raw, GIT_OBJECT_COMMIT) != 0) {
      throw RepositoryError("'" + revision + "' is not a commit: name one that `git log` shows");
    }
    return ObjectPointer(commit);
  }

  TreePointer tree_of(const std::string& revision) {
    const ObjectPointer commit = commit_of(revision);
    git_object* tree = nullptr;
    if (git_object_peel(&tree, commit.get(), GIT_OBJECT_TREE) != 0) {
      throw RepositoryError("the files of '" + revision + "' cannot be read (" + detail::last_error() +
                            "): fetch the whole history");
    }
    return TreePointer(reinterpret_cast<git_tree*>(tree));
  }

  // `raw` is a reference because the call that sets it is an argument of the same call of finish().
  std::vector<FileChange> finish(int status, git_diff* const& raw) {
    const DiffPointer diff(raw);
    if (status != 0)
      throw RepositoryError("the diff cannot be made (" + detail::last_error() +
                            "): give the change with --diff FILE");
    std::vector<FileChange> changes = detail::walk_diff(raw, true, remedy());
    for (std::size_t i = 0; i < git_diff_num_deltas(raw); ++i) {
      const git_diff_delta* delta = git_diff_get_delta(raw, i);
      if (!detail::is_submodule(*delta)) continue;
      std::vector<FileChange> of_submodule = submodule_changes(*delta);
      std::move(of_submodule.begin(), of_submodule.end(), std::back_inserter(changes));
    }
    return changes;
  }

  // A submodule; null if it is not checked out: then it is no part of what was built.
  std::unique_ptr<Libgit2Repository> submodule(const std::string& path) const {
    const std::string folder = m_root + '/' + path;
    std::error_code error;
    if (!std::filesystem::exists(folder + "/.git", error)) return nullptr;
    auto repository = std::make_unique<Libgit2Repository>(folder);
    const bool is_it = std::filesystem::equivalent(repository->root(), folder, error);
    return is_it ? std::move(repository) : nullptr;
  }

  std::vector<FileChange> submodule_changes(const git_diff_delta& delta) const {
    if (delta.old_file.mode != delta.new_file.mode) return {};
    const std::string path = delta.new_file.path;
    const auto repository = submodule(path);
    if (repository == nullptr) return {};
    for (const git_oid& commit : {delta.old_file.id, delta.new_file.id})
      if (!repository->has(commit))
        throw RepositoryError("the commit " + hex(commit) + " of the submodule " + path +
                              " is not here: git -C " + path + " fetch --unshallow, or fetch it by its name");
    std::vector<FileChange> changes =
        repository->diff_commits(hex(delta.old_file.id), hex(delta.new_file.id));
    for (FileChange& change : changes)
      for (std::string* name : {&change.old_path, &change.new_path})
        if (!name->empty()) name->insert(0, path + '/');
    return changes;
  }

  std::optional<std::string> submodule_content(git_tree* tree, const std::string& path) const {
    for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
      git_tree_entry* raw = nullptr;
      if (git_tree_entry_bypath(&raw, tree, path.substr(0, end).c_str()) != 0) return std::nullopt;
      const EntryPointer entry(raw);
      if (git_tree_entry_filemode(raw) != GIT_FILEMODE_COMMIT) continue;
      const auto repository = submodule(path.substr(0, end));
      return repository == nullptr ? std::nullopt
                                   : repository->content(hex(*git_tree_entry_id(raw)), path.substr(end + 1));
    }
    return std::nullopt;
  }

  bool has(const git_oid& commit) const {
    git_object* raw = nullptr;
    git_object_lookup(&raw, m_repository.get(), &commit, GIT_OBJECT_COMMIT);
    return ObjectPointer(raw) != nullptr;
  }

  // What to do if an object is not here.
  std::string remedy() const {
    git_config* raw = nullptr;
    if (git_repository_config(&raw, m_repository.get()) != 0) return "git fsck says what is missing";
    const ConfigPointer config(raw);
    bool is_partial = false;
    git_config_foreach_match(
        raw, "^remote\\..*\\.promisor$",
        [](const git_config_entry* entry, void* found) {
          bool& is_set = *static_cast<bool*>(found);
          is_set = is_set || std::string_view(entry->value == nullptr ? "true" : entry->value) != "false";
          return 0;
        },
        &is_partial);
    return is_partial ? "the clone is partial, and `git diff` of the two sides fetches what is missing"
                      : "git fsck says what is missing";
  }

  std::string blob_text(const git_oid& oid, const std::string& path) {
    git_blob* raw = nullptr;
    if (git_blob_lookup(&raw, m_repository.get(), &oid) != 0) {
      const std::string error = detail::last_error();
      throw RepositoryError(path + " cannot be read (" + error + "): " + remedy());
    }
    const BlobPointer blob(raw);
    return std::string(static_cast<const char*>(git_blob_rawcontent(raw)), git_blob_rawsize(raw));
  }

  detail::LibraryUse m_use; // the first member, so that it outlives the repository
  RepositoryPointer m_repository;
  std::string m_root;
};

} // namespace

namespace detail {
std::unique_ptr<Repository> make_repository(const std::string& path) {
  return std::make_unique<Libgit2Repository>(path);
}
} // namespace detail

} // namespace reex
