// Small conveniences over libclang's C interface: strings, children, locations and qualified names.
#pragma once

#include <string>
#include <vector>

#include <clang-c/Index.h>

#include "impact/code_points.h"

namespace reex::impact {

std::string text_of(CXString string); // disposes of it
std::string spelling(CXCursor cursor);
std::string usr_of(CXCursor function); // of the template's pattern where the function is an instantiation
std::vector<CXCursor> children_of(CXCursor cursor);

struct Position {
  CXFile file = nullptr;
  unsigned line = 0;
  unsigned column = 0;
  unsigned offset = 0;
};
// Positions inside macros are those of the macro's use, as in the line tables.
Position position_of(CXSourceLocation location);
Position begin_of(CXCursor cursor);
Position end_of(CXCursor cursor);
Extent extent_of(CXCursor cursor);

bool is_class(CXCursorKind kind);
bool is_function(CXCursorKind kind);

// "ns::Outer::Inner", without template arguments; anonymous ones are "(anonymous)".
std::string qualified_name(CXCursor cursor);
// The qualified name of the class that a function or variable is a member of; "" if it is none.
std::string class_of(CXCursor member);
// A method's name within its class, a free function's qualified one; no parameters, no template arguments.
std::string method_name(CXCursor function);

} // namespace reex::impact
