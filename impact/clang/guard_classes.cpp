#include "impact/clang/guard_classes.h"

#include <algorithm>

#include "impact/clang/clang_names.h"

namespace reex::impact {

// The name of the function that a call names. A template may not know the function yet: then its text says
// it.
std::string GuardClasses::called_name(CXCursor call) const {
  if (std::string name = spelling(call); !name.empty()) return name;
  const Position begin = begin_of(call);
  std::string text(m_files.text(begin.file, begin.offset, end_of(call).offset));
  text.resize(std::min(text.size(), text.find('(')));
  const std::size_t separator = text.find_last_of(".>: ");
  return separator == std::string::npos ? text : text.substr(separator + 1);
}

bool GuardClasses::calls(CXCursor within, LockCall kind) const {
  for (const CXCursor child : children_of(within)) {
    if (clang_getCursorKind(child) == CXCursor_CallExpr && lock_call_of(called_name(child)) == kind)
      return true;
    if (calls(child, kind)) return true;
  }
  return false;
}

bool GuardClasses::is_guard(CXType type) {
  const CXType canonical = clang_getCanonicalType(type);
  if (is_lock_guard(text_of(clang_getTypeSpelling(canonical))) ||
      is_lock_guard(text_of(clang_getTypeSpelling(type))))
    return true;
  CXCursor declared = clang_getTypeDeclaration(canonical);
  if (clang_getCursorKind(declared) == CXCursor_NoDeclFound) declared = clang_getTypeDeclaration(type);
  if (const CXCursor pattern = clang_getSpecializedCursorTemplate(declared); !clang_Cursor_isNull(pattern))
    declared = pattern;
  const CXCursor definition = clang_getCursorDefinition(declared);
  if (!is_class(clang_getCursorKind(definition))) return false;
  if (m_files.path(position_of(clang_getCursorLocation(definition)).file) == nullptr) return false;
  const auto [place, fresh] = m_known.try_emplace(usr_of(definition), false);
  if (!fresh) return place->second;
  const bool found = is_guard_class(definition);
  m_known[usr_of(definition)] = found;
  return found;
}

bool GuardClasses::may_hold_guard(CXType type) {
  const CXType canonical = clang_getCanonicalType(type);
  const std::string name = text_of(clang_getTypeSpelling(canonical));
  return (name.starts_with("std::optional<") || name.starts_with("std::unique_ptr<")) &&
         clang_Type_getNumTemplateArguments(canonical) > 0 &&
         is_guard(clang_Type_getTemplateArgumentAsType(canonical, 0));
}

bool GuardClasses::is_guard_class(CXCursor definition) {
  bool locks = false;
  bool unlocks = false;
  for (const CXCursor child : children_of(definition)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if ((kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier) &&
        is_guard(clang_getCursorType(child)))
      return true;
    CXCursor function = clang_getCursorDefinition(child);
    if (clang_Cursor_isNull(function)) function = child;
    const bool constructor =
        kind == CXCursor_Constructor ||
        (kind == CXCursor_FunctionTemplate && clang_getTemplateCursorKind(child) == CXCursor_Constructor);
    if (constructor) locks = locks || calls(function, LockCall::lock);
    if (kind == CXCursor_Destructor) unlocks = calls(function, LockCall::unlock);
  }
  return locks && unlocks;
}

} // namespace reex::impact
