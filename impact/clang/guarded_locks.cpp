#include "impact/clang/guarded_locks.h"

#include <algorithm>
#include <string>

#include "impact/clang/clang_names.h"
#include "impact/clang/lock_names.h"

namespace reex::impact {
namespace {

void add_functions(CXCursor lock, unsigned line, UserFiles& files, std::vector<GuardedCall>& calls) {
  if (const CXCursor pattern = clang_getSpecializedCursorTemplate(lock); clang_Cursor_isNull(pattern) == 0)
    lock = pattern;
  lock = clang_getCursorDefinition(lock);
  if (clang_Cursor_isNull(lock) != 0 || !is_class(clang_getCursorKind(lock)) ||
      files.path(position_of(clang_getCursorLocation(lock)).file) == nullptr)
    return;
  for (const CXCursor child : children_of(lock)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_CXXBaseSpecifier) {
      add_functions(clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(child))), line, files,
                    calls);
    } else if (kind == CXCursor_CXXMethod && lock_call_of(spelling(child)) == LockCall::lock) {
      calls.push_back({line, usr_of(child), spelling(child)});
    }
  }
}

} // namespace

std::vector<GuardedCall> guarded_calls(CXType guard, unsigned line, UserFiles& files) {
  std::vector<GuardedCall> calls;
  const CXType type = clang_getCanonicalType(guard);
  for (int i = 0; i < clang_Type_getNumTemplateArguments(type); ++i) {
    const CXType lock = clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i));
    if (lock.kind == CXType_Unexposed) {
      for (const char* name : {"lock", "lock_shared"}) calls.push_back({line, "", name});
    } else if (lock.kind != CXType_Invalid) {
      add_functions(clang_getTypeDeclaration(lock), line, files, calls);
    }
  }
  return calls;
}

} // namespace reex::impact
