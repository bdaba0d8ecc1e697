// What a push changes: for each pushed reference the commit and its base, and for all together what one run
// can explore (docs/hook.md: "The base").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/hook/pushed_refs.h"
#include "git/history.h"

namespace reex {

struct PushedChange {
  std::string ref;                 // the short name of the local reference
  std::string commit;              // 40 digits
  std::optional<std::string> base; // nullopt: there is none, everything is new
  std::string base_is; // "what the remote has", "the merge base with refs/remotes/origin/main", ...
};

struct PushedChanges {
  std::vector<PushedChange> changes;
  std::vector<std::string> nothing_new; // a line for each reference that brings nothing
};

// `remote` is what git calls it, a name or an address. `base` is the setting reex.base; "" for none. Throws
// CommandError with status 6 if a base cannot be found.
PushedChanges changes_of_push(const std::vector<PushedRef>& refs, const History& history,
                              const std::string& remote, const std::string& base);

// One run explores one build, that of the files on disk. So it can answer for the pushed commits that lie on
// the disk, and for those that such a commit contains. Their changes are united: the base is one that comes
// before the bases of all.
struct United {
  std::string commit;              // one that lies on the disk; "" if none does
  std::optional<std::string> base; // nullopt: everything
  std::vector<PushedChange> together;
  std::vector<PushedChange> elsewhere; // the commits that are not explored
};

United unite(const std::vector<PushedChange>& changes, const History& history,
             const std::function<bool(const std::string& commit)>& on_disk);

// The first digits of an id.
std::string short_id(const std::string& id);

} // namespace reex
