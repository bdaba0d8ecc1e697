#include "impact/clang/nodes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "impact/clang/clang_names.h"
#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

// Attributes by which nothing runs that is not called. Behind any other one, as constructor or section, the
// function counts as a root.
constexpr std::array<std::string_view, 24> k_harmless = {
    "nodiscard", "noreturn",    "maybe_unused", "unused",   "always_inline", "noinline",
    "flatten",   "gnu_inline",  "deprecated",   "const",    "pure",          "hot",
    "cold",      "visibility",  "format",       "nonnull",  "likely",        "unlikely",
    "malloc",    "no_sanitize", "aligned",      "override", "final",         "warn_unused_result"};

// What the macros of Catch2 and doctest call the function or class of a case.
constexpr std::array<std::string_view, 4> k_case_names = {"CATCH2_INTERNAL_TEST_", "C_A_T_C_H_T_E_S_T_",
                                                          "DOCTEST_ANON_", "_DOCTEST_ANON_"};

std::string plain_name(CXCursor cursor) {
  const std::string name = spelling(cursor);
  return name.starts_with("operator") ? name : name.substr(0, name.find('<'));
}

bool is_unnamed(CXCursor type) {
  const std::string name = spelling(type);
  return name.empty() || name.front() == '(' || clang_Cursor_isAnonymous(type) != 0;
}

bool is_type(CXCursorKind kind) { return is_class(kind) || kind == CXCursor_EnumDecl; }

// The outermost class that contains a declaration; null if there is none.
CXCursor outermost_class(CXCursor cursor) {
  CXCursor found = clang_getNullCursor();
  for (CXCursor at = clang_getCursorSemanticParent(cursor);
       !clang_Cursor_isNull(at) && clang_isInvalid(clang_getCursorKind(at)) == 0 &&
       clang_isTranslationUnit(clang_getCursorKind(at)) == 0;
       at = clang_getCursorSemanticParent(at))
    if (is_class(clang_getCursorKind(at))) found = at;
  return found;
}

std::string outermost_namespace(CXCursor cursor) {
  std::string found;
  for (CXCursor at = clang_getCursorSemanticParent(cursor);
       !clang_Cursor_isNull(at) && clang_isInvalid(clang_getCursorKind(at)) == 0 &&
       clang_isTranslationUnit(clang_getCursorKind(at)) == 0;
       at = clang_getCursorSemanticParent(at))
    if (clang_getCursorKind(at) == CXCursor_Namespace && !spelling(at).empty()) found = spelling(at);
  return found;
}

bool is_case_name(const std::string& name) {
  return std::any_of(k_case_names.begin(), k_case_names.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// A case of GoogleTest is a class with a static member by which it is registered.
bool is_googletest_case(CXCursor type) {
  if (!is_class(clang_getCursorKind(type)) || !spelling(type).ends_with("_Test")) return false;
  const std::vector<CXCursor> members = children_of(type);
  return clang_getCursorKind(type) != CXCursor_ClassTemplate &&
         std::any_of(members.begin(), members.end(), [](CXCursor member) {
           const std::string name = spelling(member);
           return name == "test_info_" || name == "AddToRegistry";
         });
}

// Whether a variable of this type and with these children is set before any code runs.
bool is_plain(CXType type) {
  type = clang_getCanonicalType(type);
  for (; type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
       type = clang_getArrayElementType(type)) {
  }
  return (type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
          type.kind != CXType_Dependent) ||
         type.kind == CXType_Enum || type.kind == CXType_Pointer;
}

bool calls_something(CXCursor cursor) {
  const auto call = [](CXCursor at, CXCursor, CXClientData found) {
    const CXCursorKind kind = clang_getCursorKind(at);
    const bool calls = kind == CXCursor_CallExpr || kind == CXCursor_CXXNewExpr ||
                       kind == CXCursor_LambdaExpr || kind == CXCursor_UnexposedExpr;
    // An unexposed expression is a conversion, or something that libclang has no word for.
    if (calls && (kind != CXCursor_UnexposedExpr || children_of(at).empty())) {
      *static_cast<bool*>(found) = true;
      return CXChildVisit_Break;
    }
    return CXChildVisit_Recurse;
  };
  bool found = false;
  clang_visitChildren(cursor, call, &found);
  return found;
}

class Collector {
public:
  Collector(UserFiles& files, Program& program) : m_files(files), m_program(program) {}

  void declaration(CXCursor cursor) {
    const std::string* file = m_files.path(begin_of(cursor).file);
    if (file == nullptr) return;
    const CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
      for (const CXCursor child : children_of(cursor)) declaration(child);
      return;
    case CXCursor_UnexposedDecl:
      return unexposed(*file, cursor);
    case CXCursor_UsingDirective:
    case CXCursor_UsingDeclaration:
    case CXCursor_StaticAssert:
    case CXCursor_TypeRef: // parts of a declaration
    case CXCursor_TemplateTypeParameter:
    case CXCursor_NonTypeTemplateParameter:
    case CXCursor_TemplateTemplateParameter:
      return;
    default:
      break;
    }
    Node node = node_of(cursor);
    if (is_function(kind))
      function(cursor, node);
    else if (is_type(kind))
      type(cursor, node);
    else if (kind == CXCursor_VarDecl)
      variable(cursor, node);
    else
      node.is_root = kind != CXCursor_NamespaceAlias && kind != CXCursor_TypedefDecl &&
                     kind != CXCursor_TypeAliasDecl && kind != CXCursor_TypeAliasTemplateDecl;
    keep(*file, cursor, std::move(node));
  }

  // What registers a case is executed for all of them, and runs none.
  void finish() {
    for (const auto& [place, node] : m_registrations) {
      Node kept = node;
      kept.is_root = !m_cases.contains(place);
      m_program[place.first].nodes.insert(std::move(kept));
    }
  }

private:
  using Place = std::pair<std::string, unsigned>; // file, offset

  // libclang has no word for variable templates, concepts and much else.
  void unexposed(const std::string& file, CXCursor cursor) {
    bool any = false;
    for (const CXCursor child : children_of(cursor)) {
      const CXCursorKind kind = clang_getCursorKind(child);
      if (clang_isDeclaration(kind) == 0 || kind == CXCursor_TemplateTypeParameter ||
          kind == CXCursor_NonTypeTemplateParameter || kind == CXCursor_TemplateTemplateParameter)
        continue;
      any = true;
      declaration(child);
    }
    if (any) return;
    Node node = node_of(cursor);
    node.is_root = true;
    keep(file, cursor, std::move(node));
  }

  Node node_of(CXCursor cursor) {
    const Extent extent = extent_of(cursor);
    Node node;
    node.first = extent.begin_line;
    node.last = extent.end_line;
    const CXCursor owner = outermost_class(cursor);
    if (!clang_Cursor_isNull(owner))
      node.owner = plain_name(owner);
    else if (const std::string name = plain_name(cursor); !name.empty())
      node.declares.push_back(name);
    return node;
  }

  void keep(const std::string& file, CXCursor cursor, Node node) {
    mentions(cursor, node.names);
    const Position begin = begin_of(cursor);
    std::set<std::string> shown;
    const Position end = end_of(cursor);
    add_words(m_files.text(begin.file, begin.offset, end.offset), shown);
    std::erase_if(node.names, [&](const std::string& name) { return shown.contains(name); });
    const Place place{file, begin.offset};
    if (!node.test.empty()) m_cases.insert(place);
    if (clang_getCursorKind(cursor) == CXCursor_VarDecl && node.is_root && from_macro(cursor))
      m_registrations.emplace_back(place, std::move(node));
    else
      m_program[file].nodes.insert(std::move(node));
  }

  void function(CXCursor cursor, Node& node) {
    const std::string name = plain_name(cursor);
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const bool literal = name.starts_with("operator\"\"");
    if (literal) node.declares.push_back(name.substr(name.find_first_not_of(" ", 10)));
    node.generic = node.owner.empty() && name.starts_with("operator") && !literal;
    if (node.owner.empty() && kind == CXCursor_FunctionTemplate)
      node.head.insert("::" + outermost_namespace(cursor));
    const CXType function_type = clang_getCursorType(cursor);
    for (int i = 0; i < clang_getNumArgTypes(function_type); ++i)
      add_type_words(clang_getArgType(function_type, static_cast<unsigned>(i)), node.head);
    const bool of_system =
        m_files.path(position_of(clang_getCursorLocation(clang_getCanonicalCursor(cursor))).file) == nullptr;
    if (clang_isCursorDefinition(cursor) == 0) {
      if (!of_system && lacks_body(cursor)) node.lacks.push_back(usr_of(cursor));
    } else if (node.owner.empty()) {
      node.is_root = name == "main" || name.starts_with("operator new") ||
                     name.starts_with("operator delete") || of_system || has_c_linkage(cursor);
    }
    node.is_root = node.is_root || has_other_attributes(cursor);
    if (is_case_name(name) && from_macro(cursor) && clang_isCursorDefinition(cursor) != 0)
      node.test = literal_of_case(cursor);
  }

  void type(CXCursor cursor, Node& node) {
    node.is_type = true;
    node.scope = outermost_namespace(cursor);
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_unnamed(cursor) || kind == CXCursor_EnumDecl)
      for (const CXCursor member : children_of(cursor))
        if (node.owner.empty() && clang_isDeclaration(clang_getCursorKind(member)) != 0)
          node.declares.push_back(plain_name(member));
    add_words(text_of(clang_getCursorDisplayName(cursor)), node.head);
    if (kind != CXCursor_ClassTemplate)
      add_words(text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor)))),
                node.head);
    node.head.erase(plain_name(cursor));
    if (clang_isCursorDefinition(cursor) != 0) bodies_elsewhere(cursor, node.lacks);
    if (is_googletest_case(cursor) && from_macro(cursor))
      node.test = spelling(cursor);
    else if (is_case_name(plain_name(cursor)) && from_macro(cursor))
      node.test = literal_of_case(cursor);
  }

  void variable(CXCursor cursor, Node& node) {
    const bool registers =
        !node.owner.empty() && from_macro(cursor) &&
        (spelling(cursor) == "test_info_" || spelling(cursor) == "gtest_registering_dummy_");
    const bool plain = is_plain(clang_getCursorType(cursor)) && !calls_something(cursor);
    node.is_root = clang_isCursorDefinition(cursor) != 0 && !plain && !registers;
  }

  static bool lacks_body(CXCursor function) {
    return clang_CXXMethod_isPureVirtual(function) == 0 && clang_CXXMethod_isDefaulted(function) == 0 &&
           clang_getCursorAvailability(function) != CXAvailability_NotAvailable; // it is deleted
  }

  static void bodies_elsewhere(CXCursor cursor, std::vector<std::string>& lacks) {
    for (const CXCursor child : children_of(cursor)) {
      if (is_function(clang_getCursorKind(child))) {
        if (clang_isCursorDefinition(child) == 0 && lacks_body(child)) lacks.push_back(usr_of(child));
      } else if (clang_isDeclaration(clang_getCursorKind(child)) != 0) {
        bodies_elsewhere(child, lacks);
      }
    }
  }

  static bool has_c_linkage(CXCursor function) {
    return clang_getCursorLinkage(function) == CXLinkage_External &&
           clang_getCursorKind(function) == CXCursor_FunctionDecl &&
           text_of(clang_Cursor_getMangling(function)) == spelling(function);
  }

  bool has_other_attributes(CXCursor function) {
    for (const CXCursor child : children_of(function)) {
      const CXCursorKind kind = clang_getCursorKind(child);
      if (clang_isAttribute(kind) == 0) continue;
      if (kind != CXCursor_UnexposedAttr && kind != CXCursor_AsmLabelAttr) continue;
      const Position begin = begin_of(child);
      const Position end = end_of(child);
      std::set<std::string> words;
      add_words(m_files.text(begin.file, begin.offset, std::max(end.offset, begin.offset)), words);
      const bool harmless = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return std::find(k_harmless.begin(), k_harmless.end(), word) != k_harmless.end();
      });
      if (!harmless) return true;
    }
    return false;
  }

  // The first literal behind the macro's name: `TEST_CASE("what it does", "[tag]")`. "" if it is not written
  // in a plain way; then the case is not known.
  std::string literal_of_case(CXCursor cursor) {
    constexpr unsigned k_longest = 2000;
    const Position begin = begin_of(cursor);
    std::string_view text;
    for (unsigned length = k_longest; length > 0 && text.empty(); length /= 2)
      text = m_files.text(begin.file, begin.offset, begin.offset + length);
    const std::size_t open = text.find('(');
    const std::size_t first = text.find('"');
    if (first == std::string_view::npos || open > first || text.starts_with("SCENARIO")) return "?";
    const std::string_view before = text.substr(open + 1, first - open - 1);
    if (before.find_first_of(")'/#") != std::string_view::npos || before.ends_with('R')) return "?";
    const std::size_t last = text.find('"', first + 1);
    if (last == std::string_view::npos) return "?";
    const std::string_view literal = text.substr(first + 1, last - first - 1);
    const std::size_t behind = text.find_first_not_of(" \t\n", last + 1);
    const bool whole = behind != std::string_view::npos && (text[behind] == ',' || text[behind] == ')');
    if (!whole || literal.find_first_of("\\\n") != std::string_view::npos) return "?";
    return std::string(literal);
  }

  static void add_type_words(CXType type, std::set<std::string>& words) {
    add_words(text_of(clang_getTypeSpelling(type)), words);
    add_words(text_of(clang_getTypeSpelling(clang_getCanonicalType(type))), words);
  }

  // The names of the user's declarations to which the tree refers, and of the classes of its values.
  void mentions(CXCursor cursor, std::set<std::string>& names) {
    for (const CXCursor child : children_of(cursor)) {
      refer(clang_getCursorReferenced(child), names);
      const CXCursorKind kind = clang_getCursorKind(child);
      if (kind == CXCursor_OverloadedDeclRef)
        for (unsigned i = 0; i < clang_getNumOverloadedDecls(child); ++i)
          refer(clang_getOverloadedDecl(child, i), names);
      if (kind == CXCursor_CallExpr || kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl ||
          kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier)
        value(clang_getCursorType(child), names, 0);
      mentions(child, names);
    }
  }

  void refer(CXCursor declared, std::set<std::string>& names) {
    if (clang_Cursor_isNull(declared) || !is_users(declared)) return;
    const CXCursor owner = outermost_class(declared);
    names.insert(plain_name(clang_Cursor_isNull(owner) ? declared : owner));
  }

  void value(CXType type, std::set<std::string>& names, int depth) {
    constexpr int k_deepest = 6;
    if (depth > k_deepest) return;
    type = clang_getCanonicalType(type);
    if (const CXType pointee = clang_getPointeeType(type); pointee.kind != CXType_Invalid)
      return value(pointee, names, depth + 1);
    if (const CXType element = clang_getArrayElementType(type); element.kind != CXType_Invalid)
      return value(element, names, depth + 1);
    refer(clang_getTypeDeclaration(type), names);
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type); ++i)
      value(clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i)), names, depth + 1);
  }

  // Whether a declaration begins as the use of a macro with arguments does. libclang does not tell where the
  // text of a macro stands.
  bool from_macro(CXCursor cursor) {
    constexpr unsigned k_longest = 200;
    const Position begin = begin_of(cursor);
    std::string_view text;
    for (unsigned length = k_longest; length > 0 && text.empty(); length /= 2)
      text = m_files.text(begin.file, begin.offset, begin.offset + length);
    std::size_t end = 0;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
      ++end;
    const std::size_t next = text.find_first_not_of(" \t", end);
    return end > 0 && next != std::string_view::npos && text[next] == '(';
  }

  bool is_users(CXCursor declared) {
    return m_files.path(position_of(clang_getCursorLocation(declared)).file) != nullptr;
  }

  UserFiles& m_files;
  Program& m_program;
  std::set<Place> m_cases;
  std::vector<std::pair<Place, Node>> m_registrations; // variables of macros
};

} // namespace

void collect_nodes(CXCursor unit, UserFiles& files, Program& program) {
  Collector collector(files, program);
  for (const CXCursor child : children_of(unit)) collector.declaration(child);
  collector.finish();
}

} // namespace reex::impact
