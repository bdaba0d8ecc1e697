// The field that an assignment to an expression writes, or a part of it: that of the innermost member.
#pragma once

#include <optional>
#include <string_view>

#include <clang-c/Index.h>

#include "impact/clang/user_files.h"
#include "impact/facts/facts.h"

namespace reex::impact {

struct FieldTarget {
  Field field;
  CXCursor named; // the expression that names it
};

// nullopt if the expression designates something else: a local variable, what a function returns.
std::optional<FieldTarget> field_target(CXCursor expression, UserFiles& files);

// The method or function of a library changes the object that it is called on.
bool changes_its_object(std::string_view function);

} // namespace reex::impact
