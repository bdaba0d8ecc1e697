// What a constructor runs for members that it does not name: their default member initializers, and the order
// in which all members are initialized (facts.h: Shape, Use). A class without a declared constructor has one
// of its own, on the line of its name. An aggregate that is initialized by a list runs no constructor: the
// default member initializers of the members that the list leaves out are run where it stands.
//
// Cost: one visit of the class for each of its constructors.
#pragma once

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

bool is_constructor(CXCursor cursor); // also a template of constructors

// `cursor` is the definition of a class, a constructor, or a list of initializers.
void collect_member_initializers(CXCursor cursor, UserFiles& files, Program& program);

} // namespace reex::impact
