#include "git/history.h"

#include <deque>
#include <functional>
#include <set>
#include <vector>

#include <git2.h>

#include "git/diff_walk.h"
#include "git/library.h"
#include "git/open.h"

namespace reex {

using detail::ObjectPointer;
using ReferencePointer = detail::Pointer<git_reference, git_reference_free>;
using WalkPointer = detail::Pointer<git_revwalk, git_revwalk_free>;

namespace {

class Libgit2History : public History {
public:
  explicit Libgit2History(const std::string& path) : repository(detail::open(path)) {}

  std::optional<std::string> commit_of(const std::string& object) const override;
  std::string tree_of(const std::string& commit) const override;
  std::optional<std::string> first_parent(const std::string& commit) const override;
  std::optional<std::string> checked_out() const override;
  std::optional<std::string> merge_base(const std::string& one, const std::string& two) const override;
  std::optional<std::string> reference(const std::string& name) const override;
  std::optional<std::string> head_of_remote(const std::string& remote) const override;
  std::optional<std::string> first_unpublished(const std::string& tip) const override;
  bool shallow() const override;
  std::string git_folder() const override;

private:
  detail::LibraryUse use; // the first member, so that it outlives the repository
  detail::RepositoryPointer repository;

  [[noreturn]] void fail(const std::string& what) const {
    if (git_repository_is_shallow(repository.get()) == 1)
      throw RepositoryError(what + ", because the clone is shallow: git fetch --unshallow");
    throw RepositoryError(what + " (" + detail::last_error() + "): git fsck says what is missing");
  }

  git_oid oid(const std::string& commit) const {
    git_oid id;
    if (git_oid_fromstr(&id, commit.c_str()) != 0) throw RepositoryError("'" + commit + "' is no commit id");
    return id;
  }

  ObjectPointer object_of(const std::string& name) const {
    const git_oid id = oid(name);
    git_object* raw = nullptr;
    if (git_object_lookup(&raw, repository.get(), &id, GIT_OBJECT_COMMIT) != 0)
      fail("the commit " + name + " is not here");
    return ObjectPointer(raw);
  }

  // The parents of a commit; empty if it is not here.
  std::vector<std::string> parents(const std::string& name) const {
    std::vector<std::string> names;
    const git_oid id = oid(name);
    git_object* raw = nullptr;
    if (git_object_lookup(&raw, repository.get(), &id, GIT_OBJECT_COMMIT) != 0) return names;
    const ObjectPointer object(raw);
    const auto* commit = reinterpret_cast<const git_commit*>(raw);
    for (unsigned i = 0; i < git_commit_parentcount(commit); ++i)
      names.push_back(detail::hex(*git_commit_parent_id(commit, i)));
    return names;
  }

  // Calls `stop` for the commit and its ancestors, as far as they are here, the nearest first.
  void walk(const std::string& from, const std::function<bool(const std::string&)>& stop) const {
    std::set<std::string> seen = {from};
    std::deque<std::string> next = {from};
    for (; !next.empty() && !stop(next.front()); next.pop_front())
      for (const std::string& parent : parents(next.front()))
        if (seen.insert(parent).second) next.push_back(parent);
  }

  // libgit2 does not know where a shallow clone ends, and fails there. The ancestors that are here are enough
  // if one of them is common.
  std::optional<std::string> common_ancestor_here(const std::string& one, const std::string& two) const {
    std::set<std::string> ancestors;
    walk(one, [&](const std::string& commit) {
      ancestors.insert(commit);
      return false;
    });
    std::optional<std::string> common;
    walk(two, [&](const std::string& commit) {
      if (ancestors.contains(commit)) common = commit;
      return common.has_value();
    });
    return common;
  }
};

std::optional<std::string> Libgit2History::commit_of(const std::string& object) const {
  const git_oid id = oid(object);
  git_object* raw = nullptr;
  if (git_object_lookup(&raw, repository.get(), &id, GIT_OBJECT_ANY) != 0) return std::nullopt;
  const ObjectPointer found(raw);
  git_object* commit = nullptr;
  if (git_object_peel(&commit, raw, GIT_OBJECT_COMMIT) != 0) return std::nullopt;
  return detail::hex(*git_object_id(ObjectPointer(commit).get()));
}

std::string Libgit2History::tree_of(const std::string& commit) const {
  const ObjectPointer object = object_of(commit);
  return detail::hex(*git_commit_tree_id(reinterpret_cast<const git_commit*>(object.get())));
}

std::optional<std::string> Libgit2History::first_parent(const std::string& commit) const {
  const ObjectPointer object = object_of(commit);
  const git_oid* parent = git_commit_parent_id(reinterpret_cast<const git_commit*>(object.get()), 0);
  if (parent == nullptr) return std::nullopt;
  std::string name = detail::hex(*parent);
  static_cast<void>(object_of(name)); // that it is here
  return name;
}

std::optional<std::string> Libgit2History::checked_out() const { return reference("HEAD"); }

std::optional<std::string> Libgit2History::merge_base(const std::string& one, const std::string& two) const {
  const git_oid a = oid(one);
  const git_oid b = oid(two);
  git_oid base;
  const int status = git_merge_base(&base, repository.get(), &a, &b);
  if (status != 0 && shallow())
    if (auto common = common_ancestor_here(one, two)) return common;
  if (status == GIT_ENOTFOUND && !shallow()) return std::nullopt;
  if (status != 0)
    fail("the common ancestor of " + one.substr(0, 10) + " and " + two.substr(0, 10) + " is not here");
  return detail::hex(base);
}

std::optional<std::string> Libgit2History::reference(const std::string& name) const {
  git_oid id;
  if (git_reference_name_to_id(&id, repository.get(), name.c_str()) != 0) return std::nullopt;
  return commit_of(detail::hex(id));
}

std::optional<std::string> Libgit2History::head_of_remote(const std::string& remote) const {
  git_reference* raw = nullptr;
  const std::string name = "refs/remotes/" + remote + "/HEAD";
  if (git_reference_lookup(&raw, repository.get(), name.c_str()) != 0) return std::nullopt;
  const ReferencePointer head(raw);
  const char* target = git_reference_symbolic_target(raw);
  return target == nullptr ? name : target;
}

std::optional<std::string> Libgit2History::first_unpublished(const std::string& tip) const {
  git_revwalk* raw = nullptr;
  if (git_revwalk_new(&raw, repository.get()) != 0) fail("the history cannot be read");
  const WalkPointer walk(raw);
  git_revwalk_sorting(raw, GIT_SORT_TOPOLOGICAL | GIT_SORT_REVERSE);
  const git_oid id = oid(tip);
  if (git_revwalk_push(raw, &id) != 0 || git_revwalk_hide_glob(raw, "refs/remotes/*") != 0)
    fail("the history of " + tip + " cannot be read");
  git_oid first;
  const int status = git_revwalk_next(&first, raw);
  if (status == GIT_ITEROVER) return std::nullopt;
  if (status != 0) fail("the history of " + tip + " cannot be read");
  return detail::hex(first);
}

bool Libgit2History::shallow() const { return git_repository_is_shallow(repository.get()) == 1; }

std::string Libgit2History::git_folder() const { return git_repository_path(repository.get()); }

} // namespace

namespace detail {
std::unique_ptr<History> make_history(const std::string& path) {
  return std::make_unique<Libgit2History>(path);
}
} // namespace detail

} // namespace reex
