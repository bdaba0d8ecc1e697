// Helpers for libclang's C interface: strings, children, locations and qualified names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <clang-c/Index.h>

#include "impact/facts/extent.h"
#include "impact/facts/parse.h"

namespace reex::impact {

// Parses the unit and hands it to `use`; null if clang could not. It is valid during the call. `flags` are
// CXTranslationUnit_Flags, besides those that every parse has.
void with_unit(const ParseJob& job, const Overlays& overlays,
               const std::function<void(CXTranslationUnit)>& use, unsigned flags = 0);
std::string first_error(CXTranslationUnit unit); // "" if there is none

std::string text_of(CXString string); // also disposes of the string
std::string spelling(CXCursor cursor);
std::string usr_of(CXCursor function);                 // for an instantiation, that of the template's pattern
std::string usr_of_variable(CXCursor variable);        // of one in a function without its place
std::string usr_of_arguments(CXCursor class_template); // of all that it is instantiated with
std::vector<CXCursor> children_of(CXCursor cursor);

struct Position {
  CXFile file = nullptr;
  unsigned line = 0;
  unsigned column = 0;
  unsigned offset = 0;
};
// For a position inside a macro: the place where the macro is used, as in the line tables.
Position position_of(CXSourceLocation location);
Position begin_of(CXCursor cursor);
Position end_of(CXCursor cursor);
Extent extent_of(CXCursor cursor);

bool is_class(CXCursorKind kind);
bool is_function(CXCursorKind kind);
bool declares_variable(CXCursor cursor); // a variable or data member that may change
// Whether a function of the library calls the functions that it gets before it returns, as algorithms do.
bool calls_at_once(CXCursor library_function);

// "ns::Outer::Inner", without template arguments; an anonymous part is "(anonymous)" or "(anonymous
// namespace)".
std::string qualified_name(CXCursor cursor);
// The qualified name of the class of which a function or variable is a member; "" if it is not a member.
std::string class_of(CXCursor member);
// A method's name within its class, or the qualified name of a free function. Without parameters and template
// arguments.
std::string method_name(CXCursor function);

} // namespace reex::impact
