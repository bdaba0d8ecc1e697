// Classes whose objects hold a lock as long as they live: those that are known by name (lock_names.h), and
// those of the user that say so.
//
// Cost: each class is looked at once.
#pragma once

#include <map>
#include <string>

#include <clang-c/Index.h>

#include "impact/clang/lock_names.h"
#include "impact/clang/user_files.h"

namespace reex::impact {

class GuardClasses {
public:
  explicit GuardClasses(UserFiles& files) : m_files(files) {}

  // A class of the user is one if it has a member or a base that is one, or if a constructor of it locks and
  // its destructor unlocks, where each may be that of a base. Bodies that are in other units are not seen.
  bool is_guard(CXType type);

  // One that may hold a guard, and holds none at first: an optional or a smart pointer.
  bool may_hold_guard(CXType type);

  // A class of the user whose destructor unlocks what none of its constructors has locked.
  bool locks_later(CXType type);

private:
  struct Parts {
    bool locks = false;
    bool unlocks = false;
    bool destructor_locks = false;
    bool has_guard = false; // a member or a base
  };
  CXCursor users_class(CXType type);
  const Parts& parts_of(CXCursor definition);
  void look_at(CXCursor definition, Parts& parts);
  std::string called_name(CXCursor call) const;
  bool calls(CXCursor within, LockCall kind) const;

  UserFiles& m_files;
  std::map<std::string, Parts> m_known; // by usr
};

} // namespace reex::impact
