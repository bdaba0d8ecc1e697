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

// The definition of the type's class, if it is one of the user's; else a null cursor.
CXCursor GuardClasses::users_class(CXType type) {
  CXCursor declared = clang_getTypeDeclaration(clang_getCanonicalType(type));
  if (clang_getCursorKind(declared) == CXCursor_NoDeclFound) declared = clang_getTypeDeclaration(type);
  if (const CXCursor pattern = clang_getSpecializedCursorTemplate(declared); !clang_Cursor_isNull(pattern))
    declared = pattern;
  const CXCursor definition = clang_getCursorDefinition(declared);
  const bool of_user = is_class(clang_getCursorKind(definition)) &&
                       m_files.path(position_of(clang_getCursorLocation(definition)).file) != nullptr;
  return of_user ? definition : clang_getNullCursor();
}

bool GuardClasses::is_guard(CXType type) {
  const CXType canonical = clang_getCanonicalType(type);
  if (is_lock_guard(text_of(clang_getTypeSpelling(canonical))) ||
      is_lock_guard(text_of(clang_getTypeSpelling(type))))
    return true;
  const CXCursor definition = users_class(type);
  if (clang_Cursor_isNull(definition)) return false;
  const Parts& parts = parts_of(definition);
  return parts.has_guard || (parts.locks && parts.unlocks);
}

bool GuardClasses::locks_later(CXType type) {
  const CXCursor definition = users_class(type);
  if (clang_Cursor_isNull(definition)) return false;
  const Parts& parts = parts_of(definition);
  return parts.unlocks && !parts.destructor_locks && !is_guard(type);
}

const GuardClasses::Parts& GuardClasses::parts_of(CXCursor definition) {
  const auto [place, fresh] = m_known.try_emplace(usr_of(definition));
  if (!fresh) return place->second; // also while it is looked at: a class has no members of itself
  Parts parts;
  look_at(definition, parts);
  return place->second = parts;
}

bool GuardClasses::may_hold_guard(CXType type) {
  const CXType canonical = clang_getCanonicalType(type);
  const std::string name = text_of(clang_getTypeSpelling(canonical));
  return (name.starts_with("std::optional<") || name.starts_with("std::unique_ptr<")) &&
         clang_Type_getNumTemplateArguments(canonical) > 0 &&
         is_guard(clang_Type_getTemplateArgumentAsType(canonical, 0));
}

// Without constructors of its own, or with those of a base, a class is made by the base's.
void GuardClasses::look_at(CXCursor definition, Parts& parts) {
  for (const CXCursor child : children_of(definition)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier) {
      parts.has_guard = parts.has_guard || is_guard(clang_getCursorType(child));
      if (kind == CXCursor_CXXBaseSpecifier)
        if (const CXCursor base = users_class(clang_getCursorType(child)); !clang_Cursor_isNull(base))
          look_at(base, parts);
      continue;
    }
    CXCursor function = clang_getCursorDefinition(child);
    if (clang_Cursor_isNull(function)) function = child;
    const bool constructor =
        kind == CXCursor_Constructor ||
        (kind == CXCursor_FunctionTemplate && clang_getTemplateCursorKind(child) == CXCursor_Constructor);
    if (constructor) parts.locks = parts.locks || calls(function, LockCall::lock);
    if (kind == CXCursor_Destructor) {
      parts.unlocks = parts.unlocks || calls(function, LockCall::unlock);
      parts.destructor_locks = parts.destructor_locks || calls(function, LockCall::lock);
    }
  }
}

} // namespace reex::impact
