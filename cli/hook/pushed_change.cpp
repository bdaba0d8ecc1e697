#include "cli/hook/pushed_change.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/command_error.h"

namespace reex {
namespace {

struct Base {
  std::optional<std::string> commit; // nullopt: everything is new
  std::string is;
};

// A branch of a remote, as a remote-tracking reference. A local branch of the same name is something else: it
// may hold what is being pushed.
std::string tracking_reference(const History& history, const std::string& remote, const std::string& base) {
  for (const std::string& name : {"refs/remotes/" + remote + "/" + base, "refs/remotes/" + base, base})
    if (name.starts_with("refs/remotes/") && history.reference(name)) return name;
  throw CommandError(
      ExitStatus::unresolved,
      fmt::format("reex.base: no remote has a branch {}, as far as is known here: git fetch {}, or "
                  "set it to a branch as origin/main",
                  base, remote));
}

std::optional<Base> base_by_branch(const std::string& commit, const History& history,
                                   const std::string& remote, const std::string& setting) {
  const auto name = setting.empty() ? history.head_of_remote(remote)
                                    : std::optional(tracking_reference(history, remote, setting));
  const auto tip = name ? history.reference(*name) : std::nullopt;
  const auto base = tip ? history.merge_base(*tip, commit) : std::nullopt;
  if (!base) return std::nullopt;
  return Base{base, "the merge base with " + name->substr(std::string("refs/remotes/").size())};
}

// nullopt if the remote has the commit already.
std::optional<Base> base_by_publication(const std::string& commit, const History& history) {
  const auto first = history.first_unpublished(commit);
  if (!first) return std::nullopt;
  const auto parent = history.first_parent(*first);
  if (!parent) return Base{std::nullopt, "everything is new: no remote has any of it"};
  return Base{parent, "the parent of the first commit that no remote has"};
}

// nullopt if nothing is new.
std::optional<Base> base_of(const PushedRef& ref, const std::string& commit, const History& history,
                            const std::string& remote, const std::string& setting) {
  if (!ref.creates()) {
    if (const auto there = history.commit_of(ref.remote_id)) {
      const auto base = history.merge_base(*there, commit);
      if (!base)
        return Base{std::nullopt, "everything is new: it has nothing in common with what the remote has"};
      return Base{base, *base == *there ? "what the remote has" : "the merge base with what the remote has"};
    }
  }
  if (const auto base = base_by_branch(commit, history, remote, setting)) return base;
  return base_by_publication(commit, history);
}

bool contains(const History& history, const std::string& commit, const std::string& other) {
  return commit == other || history.merge_base(commit, other) == other;
}

} // namespace

std::string short_id(const std::string& id) { return id.substr(0, 10); }

PushedChanges changes_of_push(const std::vector<PushedRef>& refs, const History& history,
                              const std::string& remote, const std::string& base) {
  PushedChanges pushed;
  for (const PushedRef& ref : refs) {
    if (ref.deletes()) continue;
    const std::string name = short_ref(ref.local_ref);
    const auto commit = history.commit_of(ref.local_id);
    if (!commit) {
      pushed.nothing_new.push_back(name + " is no commit: there is nothing to explore");
      continue;
    }
    const auto found = base_of(ref, *commit, history, remote, base);
    if (!found || found->commit == *commit) {
      pushed.nothing_new.push_back(fmt::format("{} brings nothing new", name));
      continue;
    }
    pushed.changes.push_back({name, *commit, found->commit, found->is});
  }
  return pushed;
}

United unite(const std::vector<PushedChange>& changes, const History& history,
             const std::function<bool(const std::string& commit)>& on_disk) {
  std::vector<std::string> here;
  for (const PushedChange& change : changes)
    if (std::find(here.begin(), here.end(), change.commit) == here.end() && on_disk(change.commit))
      here.push_back(change.commit);
  United united;
  if (!here.empty()) united.commit = here.front();
  for (const PushedChange& change : changes) {
    const bool contained = std::any_of(here.begin(), here.end(), [&](const std::string& commit) {
      return contains(history, commit, change.commit);
    });
    if (!contained) {
      united.elsewhere.push_back(change);
      continue;
    }
    const bool first = united.together.empty();
    united.together.push_back(change);
    if (first)
      united.base = change.base;
    else if (united.base)
      united.base = change.base ? history.merge_base(*united.base, *change.base) : std::nullopt;
  }
  return united;
}

} // namespace reex
