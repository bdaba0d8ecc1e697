#include "impact/clang/field_targets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "impact/clang/clang_names.h"

namespace reex::impact {
namespace {

constexpr std::array<std::string_view, 14> k_changing = {"store",
                                                         "exchange",
                                                         "compare_exchange_weak",
                                                         "compare_exchange_strong",
                                                         "test_and_set",
                                                         "clear",
                                                         "reset",
                                                         "swap",
                                                         "assign",
                                                         "resize",
                                                         "operator++",
                                                         "operator--",
                                                         "erase",
                                                         "insert"};

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The last name in the text of an expression of which a template knows no more.
std::string last_name(CXCursor expression, UserFiles& files) {
  const Position begin = begin_of(expression);
  std::string_view text = files.text(begin.file, begin.offset, end_of(expression).offset);
  while (!text.empty() && !is_name_character(text.back())) text.remove_suffix(1);
  std::size_t length = 0;
  while (length < text.size() && is_name_character(text[text.size() - 1 - length])) ++length;
  return std::string(text.substr(text.size() - length));
}

bool is_shared(CXCursor variable) {
  const CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(variable));
  return is_class(parent) || clang_isTranslationUnit(parent) != 0 || parent == CXCursor_Namespace ||
         parent == CXCursor_LinkageSpec || clang_Cursor_getStorageClass(variable) == CX_SC_Static;
}

} // namespace

std::optional<FieldTarget> field_target(CXCursor expression, UserFiles& files) {
  for (;;) {
    const CXCursorKind kind = clang_getCursorKind(expression);
    const std::vector<CXCursor> children = children_of(expression);
    if (kind == CXCursor_MemberRefExpr || kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRef) {
      const CXCursor named = clang_getCursorReferenced(expression);
      const CXCursorKind what = clang_getCursorKind(named);
      if (what == CXCursor_FieldDecl || what == CXCursor_VarDecl) {
        // A member of a class of the system counts as a part of the object that contains it.
        if (files.path(position_of(clang_getCursorLocation(named)).file) != nullptr) {
          const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(named)).kind;
          const bool refers = type == CXType_LValueReference || type == CXType_RValueReference;
          if (kind == CXCursor_MemberRef && refers)
            return std::nullopt; // it is bound, and nothing is written
          if (what == CXCursor_FieldDecl) return FieldTarget{{class_of(named), spelling(named)}, expression};
          if (!is_shared(named)) return std::nullopt;
          const std::string owner = class_of(named);
          return FieldTarget{{owner, owner.empty() ? qualified_name(named) : spelling(named)}, expression};
        }
      } else if (kind == CXCursor_DeclRefExpr) {
        return std::nullopt;
      } else if (!is_function(what)) {
        const std::string name = last_name(expression, files);
        return name.empty() ? std::nullopt : std::optional<FieldTarget>({{"", name, true}, expression});
      }
    } else if (kind == CXCursor_CallExpr) {
      // What the library returns is a part of the object, as that of operator[] and operator->.
      const CXCursor callee = clang_getCursorReferenced(expression);
      if (files.path(position_of(clang_getCursorLocation(callee)).file) != nullptr) return std::nullopt;
    }
    if (clang_isExpression(kind) == 0 || children.empty()) return std::nullopt;
    expression = children.front();
  }
}

bool changes_its_object(std::string_view function) {
  return function.starts_with("fetch_") || function.starts_with("push") || function.starts_with("pop") ||
         function.starts_with("emplace") || function.starts_with("insert_") ||
         std::find(k_changing.begin(), k_changing.end(), function) != k_changing.end();
}

} // namespace reex::impact
