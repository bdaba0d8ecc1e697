#include "impact/clang/clang_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace reex::impact {

std::string text_of(CXString string) {
  const char* text = clang_getCString(string);
  std::string result = text == nullptr ? "" : text;
  clang_disposeString(string);
  return result;
}

std::string spelling(CXCursor cursor) { return text_of(clang_getCursorSpelling(cursor)); }

namespace {

// Whether the function is what a lambda calls.
bool is_of_lambda(CXCursor function) {
  if (spelling(function) != "operator()") return false;
  const std::string owner = spelling(clang_getCursorSemanticParent(function));
  return owner.empty() || owner.front() == '(';
}

} // namespace

std::string usr_of(CXCursor function) {
  const CXCursor pattern = clang_getSpecializedCursorTemplate(function);
  const CXCursor meant = clang_Cursor_isNull(pattern) ? function : pattern;
  std::string usr = text_of(clang_getCursorUSR(meant));
  // All lambdas of an inline function have the same: their places tell them apart.
  if (!usr.empty() && is_of_lambda(meant))
    usr += '@' +
           std::to_string(position_of(clang_getCursorLocation(clang_getCursorSemanticParent(meant))).offset);
  return usr;
}

std::string usr_of_variable(CXCursor variable) {
  CXCursor parent = clang_getCursorSemanticParent(variable);
  if (!is_function(clang_getCursorKind(parent))) return usr_of(variable);
  while (is_of_lambda(parent)) parent = clang_getCursorSemanticParent(clang_getCursorSemanticParent(parent));
  return usr_of(parent) + '@' + spelling(variable);
}

std::string usr_of_arguments(CXCursor class_template) { return usr_of(class_template) + "#arguments"; }

bool declares_variable(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  return (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) &&
         clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor))) == 0;
}

namespace {

std::vector<CXCursor> shown_children_of(CXCursor cursor) {
  std::vector<CXCursor> children;
  clang_visitChildren(
      cursor,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(child);
        return CXChildVisit_Continue;
      },
      &children);
  return children;
}

unsigned offset_of(CXSourceLocation location) { return position_of(location).offset; }

// The variables that are declared between two places, by their uses below the cursor.
void add_used(CXCursor cursor, unsigned begin, unsigned end, std::map<unsigned, CXCursor>& variables) {
  for (const CXCursor child : shown_children_of(cursor)) {
    const CXCursor named = clang_getCursorReferenced(child);
    if (clang_getCursorKind(child) == CXCursor_DeclRefExpr && clang_getCursorKind(named) == CXCursor_VarDecl)
      if (const unsigned place = offset_of(clang_getCursorLocation(named)); begin < place && place < end)
        variables.emplace(place, named);
    add_used(child, begin, end, variables);
  }
}

} // namespace

// libclang does not show what stands before the `;` in `switch (int i = m_state; i)` and in the head of a
// loop over a range.
std::vector<CXCursor> children_of(CXCursor cursor) {
  constexpr unsigned k_shortest = sizeof("switch(int i;") - 1;
  std::vector<CXCursor> children = shown_children_of(cursor);
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (children.empty() || (kind != CXCursor_SwitchStmt && kind != CXCursor_CXXForRangeStmt)) return children;
  const unsigned begin = offset_of(clang_getRangeStart(clang_getCursorExtent(cursor)));
  const unsigned end = offset_of(clang_getRangeStart(clang_getCursorExtent(children.front())));
  if (end < begin + k_shortest) return children;
  std::map<unsigned, CXCursor> hidden;
  add_used(cursor, begin, end, hidden);
  std::size_t at = 0;
  for (const auto& [place, variable] : hidden)
    children.insert(children.begin() + static_cast<std::ptrdiff_t>(at++), variable);
  return children;
}

Position position_of(CXSourceLocation location) {
  Position position;
  clang_getExpansionLocation(location, &position.file, &position.line, &position.column, &position.offset);
  return position;
}

namespace {

// libclang knows no extent of a template that `auto` parameters make: it is that of the name and the parts.
std::pair<Position, Position> range_of(CXCursor cursor) {
  const CXSourceRange extent = clang_getCursorExtent(cursor);
  std::pair<Position, Position> range{position_of(clang_getRangeStart(extent)),
                                      position_of(clang_getRangeEnd(extent))};
  if (range.first.file != nullptr || clang_getCursorKind(cursor) != CXCursor_FunctionTemplate) return range;
  range.first = range.second = position_of(clang_getCursorLocation(cursor));
  for (const CXCursor child : children_of(cursor)) {
    const CXSourceRange part = clang_getCursorExtent(child);
    const Position begin = position_of(clang_getRangeStart(part));
    const Position end = position_of(clang_getRangeEnd(part));
    if (begin.file != range.first.file || end.file != range.first.file) continue;
    if (begin.offset < range.first.offset) range.first = begin;
    if (end.offset > range.second.offset) range.second = end;
  }
  return range;
}

} // namespace

Position begin_of(CXCursor cursor) {
  const Position begin = position_of(clang_getRangeStart(clang_getCursorExtent(cursor)));
  return begin.file != nullptr ? begin : range_of(cursor).first;
}

Position end_of(CXCursor cursor) { return range_of(cursor).second; }

Extent extent_of(CXCursor cursor) {
  const Position begin = begin_of(cursor);
  Position end = end_of(cursor);
  // The use of a macro has a single position.
  if (end.offset <= begin.offset) end.line = begin.line, end.column = begin.column + 1;
  return {begin.line, begin.column, end.line, end.column};
}

bool is_class(CXCursorKind kind) {
  switch (kind) {
  case CXCursor_ClassDecl:
  case CXCursor_StructDecl:
  case CXCursor_UnionDecl:
  case CXCursor_ClassTemplate:
  case CXCursor_ClassTemplatePartialSpecialization:
    return true;
  default:
    return false;
  }
}

bool is_function(CXCursorKind kind) {
  switch (kind) {
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate:
  case CXCursor_CXXMethod:
  case CXCursor_Constructor:
  case CXCursor_Destructor:
  case CXCursor_ConversionFunction:
    return true;
  default:
    return false;
  }
}

namespace {

std::string own_name(CXCursor cursor) {
  std::string name = spelling(cursor);
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_Namespace && name.empty()) return "(anonymous namespace)";
  if (is_class(kind) && (name.empty() || name.front() == '(' || clang_Cursor_isAnonymous(cursor) != 0)) {
    return "(anonymous)";
  }
  if (is_function(kind) && !name.starts_with("operator")) name = name.substr(0, name.find('<'));
  return name;
}

} // namespace

std::string qualified_name(CXCursor cursor) {
  std::string name = own_name(cursor);
  for (CXCursor parent = clang_getCursorSemanticParent(cursor);;
       parent = clang_getCursorSemanticParent(parent)) {
    const CXCursorKind kind = clang_getCursorKind(parent);
    if (clang_Cursor_isNull(parent) || clang_isInvalid(kind) || clang_isTranslationUnit(kind)) return name;
    if (kind == CXCursor_LinkageSpec || kind == CXCursor_UnexposedDecl) continue;
    name.insert(0, own_name(parent) + (is_function(kind) ? "()::" : "::"));
  }
}

bool calls_at_once(CXCursor library_function) {
  constexpr std::array<std::string_view, 7> k_later = {"async",  "bind",        "bind_front", "bind_back",
                                                       "mem_fn", "make_unique", "make_shared"};
  const CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(library_function));
  return parent == CXCursor_Namespace &&
         std::find(k_later.begin(), k_later.end(), spelling(library_function)) == k_later.end();
}

std::string class_of(CXCursor member) {
  const CXCursor parent = clang_getCursorSemanticParent(member);
  return is_class(clang_getCursorKind(parent)) ? qualified_name(parent) : "";
}

std::string method_name(CXCursor function) {
  const CXCursor parent = clang_getCursorSemanticParent(function);
  return is_class(clang_getCursorKind(parent)) ? own_name(function) : qualified_name(function);
}

} // namespace reex::impact
