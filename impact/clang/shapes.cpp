#include "impact/clang/shapes.h"

#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "impact/clang/clang_names.h"
#include "impact/clang/member_initializers.h"
#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

class Collector {
public:
  Collector(UserFiles& files, Program& program) : m_files(files), m_program(program) {}

  void visit(CXCursor cursor) {
    const std::string* file = m_files.path(begin_of(cursor).file);
    if (file != nullptr) {
      shape(*file, cursor);
      use(cursor);
    }
    const bool outside = m_in_constant;
    m_in_constant = outside || is_constant_code(cursor);
    const bool chooses = is_constexpr_if(cursor);
    for (const CXCursor child : children_of(cursor)) {
      const bool condition = chooses && clang_isExpression(clang_getCursorKind(child)) != 0;
      if (condition)
        visit_choice(cursor, child);
      else
        visit(child);
    }
    m_in_constant = outside;
  }

private:
  // All lines of an `if constexpr` use what its condition uses: it decides which of them are compiled.
  void visit_choice(CXCursor statement, CXCursor condition) {
    const std::optional<Extent> outside = m_chosen;
    const bool constant = m_in_constant;
    m_chosen = extent_of(statement);
    m_in_constant = true;
    use_of_text(condition);
    visit(condition);
    m_chosen = outside;
    m_in_constant = constant;
  }

  // libclang does not show what a `requires` names, nor the members of a template's class that stand in the
  // arguments of another template (`is_same_v<typename Traits<T>::type, int>`).
  void use_of_text(CXCursor condition) {
    const std::string* file = m_files.path(begin_of(condition).file);
    if (file == nullptr) return;
    const std::string text = code(condition, end_of(condition).offset);
    const bool all = has_word(text, "requires");
    for (const std::string& word : all ? words_of(text) : members_in(text))
      use(*file, begin_of(condition).line, "", word);
  }

  void use(const std::string& file, unsigned line, const std::string& usr, const std::string& name) {
    std::set<Use>& uses = m_program[file].uses;
    uses.insert({line, usr, name});
    if (m_chosen)
      for (unsigned of = m_chosen->begin_line; of <= m_chosen->end_line; ++of)
        uses.insert({of, usr, usr.empty() ? name : ""});
  }

  void shape(const std::string& file, CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_EnumDecl:
      return add(file, cursor, text_of(clang_getTypeSpelling(clang_getEnumDeclIntegerType(cursor))),
                 Shape::Kind::enumeration);
    case CXCursor_EnumConstantDecl:
      return add(file, cursor, std::to_string(clang_getEnumConstantDeclValue(cursor)));
    case CXCursor_TypedefDecl:
      arguments(cursor, cursor, position_of(clang_getCursorLocation(cursor)).offset);
      return add(file, cursor, text_of(clang_getTypeSpelling(clang_getTypedefDeclUnderlyingType(cursor))),
                 Shape::Kind::alias);
    case CXCursor_TypeAliasDecl: // as it is written: clang 14 cannot spell a type that names a "text"_literal
    case CXCursor_TypeAliasTemplateDecl:
      arguments(cursor, cursor, end_of(cursor).offset);
      return add(file, cursor, code(cursor, end_of(cursor).offset), Shape::Kind::alias);
    case CXCursor_NamespaceAlias:
    case CXCursor_UsingDeclaration:
      return add(file, cursor, code(cursor, end_of(cursor).offset), Shape::Kind::alias);
    case CXCursor_UnexposedDecl:
      return unexposed(file, cursor);
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl:
      return variable(file, cursor);
    case CXCursor_ParmDecl:
      return made_types(clang_getCursorType(cursor), 0);
    case CXCursor_TemplateTypeParameter:
    case CXCursor_TemplateTemplateParameter:
    case CXCursor_NonTypeTemplateParameter:
      if (has_default(cursor)) add(file, cursor, code(cursor, end_of(cursor).offset));
      return;
    default:
      break;
    }
    if (is_class(clang_getCursorKind(cursor)) && clang_isCursorDefinition(cursor) != 0) {
      add(file, cursor, bases(cursor), Shape::Kind::bases);
      for (const CXCursor child : children_of(cursor))
        if (clang_getCursorKind(child) == CXCursor_CXXBaseSpecifier)
          arguments(cursor, child, end_of(child).offset);
      collect_member_initializers(cursor, m_files, m_program);
    }
    if (is_function(clang_getCursorKind(cursor))) function(file, cursor);
  }

  // What `declared` gives to the class templates of the user that `type`, a part of it, names up to the end.
  void arguments(CXCursor declared, CXCursor type, unsigned end) {
    Shape fact = shape_of(declared, "");
    std::optional<Position> begin;
    for (const CXCursor child : children_of(type)) {
      const Position place = begin_of(child);
      if (clang_getCursorKind(child) != CXCursor_TemplateRef || place.offset >= end) continue;
      if (!begin) begin = place;
      const CXCursor named = clang_getCursorReferenced(child);
      if (clang_getCursorKind(named) == CXCursor_ClassTemplate &&
          m_files.path(position_of(clang_getCursorLocation(named)).file) != nullptr)
        fact.overrides.push_back(usr_of_arguments(named));
    }
    const std::string* file = begin ? m_files.path(begin->file) : nullptr;
    if (file == nullptr || fact.overrides.empty()) return;
    fact.kind = Shape::Kind::arguments;
    fact.usr = (declares_variable(declared) ? usr_of_variable(declared) : usr_of(declared)) + "#given";
    fact.text = code(*begin, end);
    m_program[*file].shapes.insert(std::move(fact));
  }

  // The type of a variable, with where it is kept: neither may be told by the lines of its declaration.
  void type(const std::string& file, CXCursor cursor) {
    const CXType canonical = clang_getCanonicalType(clang_getCursorType(cursor));
    made_types(canonical, 0);
    if (clang_getCursorLinkage(cursor) == CXLinkage_NoLinkage &&
        clang_getCursorKind(cursor) != CXCursor_FieldDecl &&
        clang_Cursor_getStorageClass(cursor) != CX_SC_Static)
      return;
    add_type(file, cursor, usr_of_variable(cursor), canonical);
  }

  void add_type(const std::string& file, CXCursor cursor, const std::string& usr, CXType canonical) {
    const std::string name = text_of(clang_getTypeSpelling(canonical));
    if (usr.empty() || name.find("(unnamed") != std::string::npos ||
        name.find("(lambda") != std::string::npos || name.find("(anonymous") != std::string::npos)
      return; // such a name tells a place
    Shape fact =
        shape_of(cursor, (clang_getCursorTLSKind(cursor) == CXTLS_None ? "" : "thread_local ") + name);
    fact.usr = usr + "#type";
    fact.kind = Shape::Kind::type;
    m_program[file].shapes.insert(std::move(fact));
  }

  // What pointers, references and arrays lead to. Of an `auto` that a template does not know yet, libclang
  // says that it points to itself.
  static CXType target_of(CXType type) {
    constexpr int k_levels = 8;
    type = clang_getCanonicalType(type);
    for (int i = 0; i < k_levels; ++i) {
      CXType of = clang_getPointeeType(type);
      if (of.kind == CXType_Invalid) of = clang_getArrayElementType(type);
      if (of.kind == CXType_Invalid) break;
      type = clang_getCanonicalType(of);
    }
    return type;
  }

  // The members of the classes that the user's templates make for this type.
  void made_types(CXType type, unsigned depth) {
    constexpr unsigned k_depth = 4;
    type = target_of(type);
    const int arguments = clang_Type_getNumTemplateArguments(type);
    if (arguments <= 0 || depth == k_depth) return;
    const std::string name = text_of(clang_getTypeSpelling(type));
    if (!m_made.insert(name).second) return;
    for (int i = 0; i < arguments; ++i)
      made_types(clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i)), depth + 1);
    const CXCursor made = clang_getTypeDeclaration(type);
    if (m_files.path(position_of(clang_getCursorLocation(made)).file) == nullptr) return;
    std::vector<CXCursor> fields;
    clang_Type_visitFields(
        type,
        [](CXCursor field, CXClientData data) {
          static_cast<std::vector<CXCursor>*>(data)->push_back(field);
          return CXVisit_Continue;
        },
        &fields);
    for (const CXCursor field : fields) {
      const CXType canonical = clang_getCanonicalType(clang_getCursorType(field));
      const std::string* file = m_files.path(begin_of(field).file);
      if (file != nullptr) add_type(*file, field, name + "::" + spelling(field), canonical);
      made_types(canonical, depth + 1);
    }
  }

  // A constant, or what locks may use (Walker::use_of_locked).
  void variable(const std::string& file, CXCursor cursor) {
    type(file, cursor);
    arguments(cursor, cursor, position_of(clang_getCursorLocation(cursor)).offset);
    const bool in_function = is_function(clang_getCursorKind(clang_getCursorSemanticParent(cursor)));
    const bool lockable = declares_variable(cursor) && !in_function && may_be_locked(cursor);
    if (lockable || (clang_getCursorKind(cursor) == CXCursor_VarDecl && is_constant(cursor)))
      add(file, cursor, code(cursor, end_of(cursor).offset));
  }

  // libclang has no word for variable templates and concepts.
  void unexposed(const std::string& file, CXCursor cursor) {
    const std::string text = code(cursor, end_of(cursor).offset);
    const bool constant = has_word(text, "const") || has_word(text, "constexpr") || has_word(text, "concept");
    if (constant && !spelling(cursor).empty()) add(file, cursor, text);
    if (has_word(text, "concept"))
      for (const std::string& word : words_of(text)) use(file, begin_of(cursor).line, "", word);
  }

  // An object, or a pointer or reference to one, also of a type that a template does not know yet.
  static bool may_be_locked(CXCursor variable) {
    CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    for (CXType of = type; of.kind != CXType_Invalid;) {
      type = of;
      of = clang_getPointeeType(type);
      if (of.kind == CXType_Invalid) of = clang_getArrayElementType(type);
    }
    return type.kind == CXType_Record || type.kind == CXType_Unexposed;
  }

  bool has_default(CXCursor template_parameter) {
    return code(template_parameter, end_of(template_parameter).offset).find('=') != std::string::npos;
  }

  static bool is_constant(CXCursor variable) {
    return clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(variable))) != 0;
  }

  // The head, up to the body or to the initializers of a constructor.
  void function(const std::string& file, CXCursor cursor) {
    Shape fact = shape_of(cursor, head(cursor));
    fact.last = head_end(cursor).line;
    CXCursor* overridden = nullptr;
    unsigned count = 0;
    clang_getOverriddenCursors(cursor, &overridden, &count);
    for (unsigned i = 0; i < count; ++i) fact.overrides.push_back(usr_of(overridden[i]));
    if (is_for_library(cursor))
      fact.overrides.push_back(usr_in_library(clang_getCursorSemanticParent(cursor)));
    use_of_constraints(file, cursor);
    clang_disposeOverriddenCursors(overridden);
    if (clang_isCursorDefinition(cursor) != 0 && evaluated(cursor) != Evaluated::at_run_time) {
      Shape value = shape_of(cursor, code(cursor, end_of(cursor).offset));
      value.usr = usr_of_value(cursor);
      m_program[file].shapes.insert(std::move(value));
    }
    m_program[file].shapes.insert(std::move(fact));
  }

  // What the library's templates call of the classes that they are made for.
  static bool is_for_library(CXCursor function) {
    if (!is_class(clang_getCursorKind(clang_getCursorSemanticParent(function)))) return false;
    return clang_getCursorKind(function) == CXCursor_Destructor ||
           spelling(function).starts_with("operator") ||
           clang_CXXConstructor_isCopyConstructor(function) != 0 ||
           clang_CXXConstructor_isMoveConstructor(function) != 0;
  }

  static std::string usr_in_library(CXCursor class_cursor) { return usr_of(class_cursor) + "#library"; }

  // A call of the library's uses what its templates need of the user's classes that they are made for.
  void use_in_library(CXCursor call) {
    const CXCursor callee = clang_getCursorReferenced(call);
    const std::string* file = m_files.path(begin_of(call).file);
    if (file == nullptr || !is_function(clang_getCursorKind(callee)) ||
        m_files.path(position_of(clang_getCursorLocation(callee)).file) != nullptr)
      return;
    std::set<std::string> classes;
    for (const CXCursor child : children_of(call)) {
      const bool member = clang_getCursorKind(child) == CXCursor_MemberRefExpr && !children_of(child).empty();
      classes_in(clang_getCursorType(member ? children_of(child).front() : child), 0, classes);
    }
    classes_in(clang_getCursorType(call), 0, classes);
    for (const std::string& usr : classes) use(*file, begin_of(call).line, usr, "");
  }

  void classes_in(CXType type, unsigned depth, std::set<std::string>& found) {
    constexpr unsigned k_depth = 4;
    type = target_of(type);
    const CXCursor declared = clang_getTypeDeclaration(type);
    if (depth > k_depth || !is_class(clang_getCursorKind(declared))) return;
    if (depth > 0 && m_files.path(position_of(clang_getCursorLocation(declared)).file) != nullptr)
      found.insert(usr_in_library(declared));
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type); ++i)
      classes_in(clang_Type_getTemplateArgumentAsType(type, static_cast<unsigned>(i)), depth + 1, found);
    if (depth == 0 || m_files.path(position_of(clang_getCursorLocation(declared)).file) == nullptr) return;
    // What the compiler makes of a class without a constructor of its own goes by its bases and members.
    for (const CXCursor child : children_of(declared))
      if (const CXCursorKind kind = clang_getCursorKind(child);
          kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_FieldDecl)
        if (const CXType part = clang_getCanonicalType(clang_getCursorType(child));
            part.kind != CXType_Pointer && part.kind != CXType_LValueReference)
          classes_in(part, depth + 1, found);
  }

  // libclang does not show what a `requires` names, nor the concept of a template's parameter.
  std::string constraints(CXCursor function) {
    const std::string text = code(function, position_of(clang_getCursorLocation(function)).offset);
    std::string found = has_word(text, "requires") ? text.substr(text.find("requires")) : "";
    for (const CXCursor child : children_of(function)) {
      const CXCursorKind kind = clang_getCursorKind(child);
      std::string parameter;
      bool is_constrained = false;
      if (kind == CXCursor_TemplateTypeParameter) {
        parameter = code(child, position_of(clang_getCursorLocation(child)).offset);
        is_constrained = !has_word(parameter, "typename") && !has_word(parameter, "class");
      } else if (kind == CXCursor_ParmDecl) { // `Concept auto`, which begins at the auto for libclang
        parameter = text_of(clang_getTypeSpelling(clang_getCursorType(child)));
        is_constrained = has_word(parameter, "auto");
      }
      if (is_constrained) found += ' ' + parameter;
    }
    return found;
  }

  void use_of_constraints(const std::string& file, CXCursor function) {
    if (clang_getCursorKind(function) != CXCursor_FunctionTemplate) return;
    for (const std::string& word : words_of(constraints(function)))
      use(file, begin_of(function).line, "", word);
  }

  static std::set<std::string> words_of(const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (const char c : text + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else if (!word.empty()) {
        words.insert(std::exchange(word, ""));
      }
    }
    for (const char* none : {"requires", "auto", "const", "concept"}) words.erase(none);
    return words;
  }

  // The names behind `::`.
  static std::set<std::string> members_in(const std::string& text) {
    std::set<std::string> names;
    for (std::size_t at = text.find("::"); at != std::string::npos; at = text.find("::", at + 2)) {
      std::size_t end = at + 2;
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
      if (end > at + 2) names.insert(text.substr(at + 2, end - at - 2));
    }
    return names;
  }

  // What a caller depends on: the type, how it is called, the default arguments. Not the parameters' names.
  std::string head(CXCursor function) {
    std::string text = text_of(clang_getTypeSpelling(clang_getCursorType(function)));
    // Of a defaulted function, clang knows whether it throws only where it was asked.
    constexpr std::string_view found_out = " noexcept";
    if (clang_CXXMethod_isDefaulted(function) != 0 && text.ends_with(found_out))
      text.erase(text.size() - found_out.size());
    if (clang_getCursorKind(function) == CXCursor_FunctionTemplate) text += ' ' + constraints(function);
    if (clang_CXXMethod_isVirtual(function) != 0) text += " virtual";
    if (clang_CXXMethod_isPureVirtual(function) != 0) text += " pure";
    if (clang_CXXMethod_isStatic(function) != 0) text += " static";
    for (const CXCursor child : children_of(function)) {
      if (clang_getCursorKind(child) != CXCursor_ParmDecl) continue;
      const std::string parameter = code(child, end_of(child).offset);
      const std::size_t sign = parameter.find('=');
      text += sign == std::string::npos ? "," : ", " + parameter.substr(sign);
    }
    return text;
  }

  static std::string bases(CXCursor class_definition) {
    std::string text;
    for (const CXCursor child : children_of(class_definition)) {
      if (clang_getCursorKind(child) != CXCursor_CXXBaseSpecifier) continue;
      text += clang_isVirtualBase(child) != 0 ? "virtual " : "";
      text += std::to_string(clang_getCXXAccessSpecifier(child)) + ' ' +
              text_of(clang_getTypeSpelling(clang_getCursorType(child))) + ", ";
    }
    return text;
  }

  // Who executes it. If it is the compiler, who uses it executes no line of it.
  enum class Evaluated : std::uint8_t { at_run_time, at_either, at_compile_time };

  Evaluated evaluated(CXCursor function) {
    const auto [known, is_new] = m_evaluated.try_emplace(usr_of(function), Evaluated::at_run_time);
    if (is_new) {
      const CXCursor definition = clang_getCursorDefinition(function);
      const CXCursor written = clang_Cursor_isNull(definition) != 0 ? function : definition;
      const std::string text = code(written, head_end(written).offset);
      if (has_word(text, "constexpr")) known->second = Evaluated::at_either;
      if (has_word(text, "consteval")) known->second = Evaluated::at_compile_time;
    }
    return known->second;
  }

  // Where the body begins, or the initializers of a constructor.
  static Position head_end(CXCursor function) {
    Position end = end_of(function);
    for (const CXCursor child : children_of(function)) {
      const CXCursorKind kind = clang_getCursorKind(child);
      const bool behind =
          kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt || kind == CXCursor_MemberRef;
      const Position begin = begin_of(child);
      if (behind && begin.offset < end.offset) end = begin;
    }
    return end;
  }

  // What the compiler computes.
  bool is_constant_code(CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl:
      return is_constant(cursor);
    case CXCursor_EnumConstantDecl:
    case CXCursor_NonTypeTemplateParameter:
    case CXCursor_UnexposedDecl: // of a variable template
      return true;
    default:
      return is_function(clang_getCursorKind(cursor)) && evaluated(cursor) != Evaluated::at_run_time;
    }
  }

  bool is_constexpr_if(CXCursor cursor) {
    if (clang_getCursorKind(cursor) != CXCursor_IfStmt) return false;
    const std::string text = code(cursor, end_of(cursor).offset);
    return has_word(text.substr(0, text.find('(')), "constexpr");
  }

  static std::string usr_of_value(CXCursor function) { return usr_of(function) + "#value"; }

  // Without comments and white space that means nothing.
  std::string code(CXCursor cursor, unsigned end) { return code(begin_of(cursor), end); }
  std::string code(const Position& begin, unsigned end) {
    std::string text;
    for (const std::string& line : code_of_lines(m_files.text(begin.file, begin.offset, end)))
      text += line + ' ';
    while (!text.empty() && (text.back() == ' ' || text.back() == ':')) text.pop_back();
    return text;
  }

  static Shape shape_of(CXCursor cursor, std::string text) {
    const Extent extent = extent_of(cursor);
    Shape fact;
    fact.first = extent.begin_line;
    fact.last = extent.end_line;
    fact.usr = usr_of(cursor);
    fact.name = plain_name(cursor);
    fact.text = std::move(text);
    return fact;
  }

  static std::string plain_name(CXCursor cursor) {
    const std::string name = spelling(cursor);
    return name.starts_with("operator") ? name : name.substr(0, name.find('<'));
  }

  void add(const std::string& file, CXCursor cursor, std::string text,
           Shape::Kind kind = Shape::Kind::declaration) {
    Shape fact = shape_of(cursor, std::move(text));
    fact.kind = kind;
    if (!fact.usr.empty()) m_program[file].shapes.insert(std::move(fact));
  }

  void use(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_constructor(cursor) || kind == CXCursor_InitListExpr)
      collect_member_initializers(cursor, m_files, m_program);
    if (kind == CXCursor_CallExpr) use_in_library(cursor);
    switch (kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
    case CXCursor_CallExpr:
    case CXCursor_TypeRef:
    case CXCursor_TemplateRef:
    case CXCursor_NamespaceRef:
    case CXCursor_MemberRef:
      return refer(cursor, clang_getCursorReferenced(cursor));
    case CXCursor_OverloadedDeclRef:
      for (unsigned i = 0; i < clang_getNumOverloadedDecls(cursor); ++i)
        refer(cursor, clang_getOverloadedDecl(cursor, i));
      return;
    default:
      return;
    }
  }

  // A member of what a template does not know yet is known by its name.
  void refer_by_name(CXCursor cursor) {
    const std::string text = code(cursor, end_of(cursor).offset);
    const std::size_t colons = text.rfind("::");
    const std::string* file = m_files.path(begin_of(cursor).file);
    if (colons != std::string::npos && file != nullptr)
      use(*file, begin_of(cursor).line, "", text.substr(colons + 2));
  }

  void refer(CXCursor cursor, CXCursor declared) {
    if (clang_Cursor_isNull(declared)) {
      const CXCursorKind kind = clang_getCursorKind(cursor);
      if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) refer_by_name(cursor);
      return;
    }
    const CXCursorKind kind = clang_getCursorKind(declared);
    switch (kind) {
    case CXCursor_VarDecl:
      if (!is_constant(declared)) return;
      break;
    case CXCursor_TemplateTypeParameter:
    case CXCursor_TemplateTemplateParameter:
    case CXCursor_NonTypeTemplateParameter:
      if (!has_default(declared)) return;
      break;
    case CXCursor_EnumConstantDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
    case CXCursor_NamespaceAlias:
    case CXCursor_UnexposedDecl:
      break;
    default:
      if (!is_class(kind) && !is_function(kind)) return;
    }
    if (m_files.path(position_of(clang_getCursorLocation(declared)).file) == nullptr) return;
    const Position place = position_of(clang_getCursorLocation(cursor));
    const std::string* file = m_files.path(place.file);
    if (file == nullptr) return;
    // Of a variable template, a use names the specialization.
    std::string usr = usr_of(declared);
    if (kind == CXCursor_UnexposedDecl) usr = usr.substr(0, usr.find('>'));
    use(*file, place.line, usr, plain_name(declared));
    if (is_function(kind) &&
        evaluated(declared) >= (m_in_constant ? Evaluated::at_either : Evaluated::at_compile_time))
      use(*file, place.line, usr_of_value(declared), plain_name(declared));
    // Who calls a member uses the class, with its bases.
    const CXCursor owner = clang_getCursorSemanticParent(declared);
    if (is_function(kind) && is_class(clang_getCursorKind(owner)))
      m_program[*file].uses.insert({place.line, usr_of(owner), plain_name(owner)});
  }

  UserFiles& m_files;
  Program& m_program;
  std::set<std::string> m_made;                 // classes of templates whose members are known
  std::map<std::string, Evaluated> m_evaluated; // functions, by usr
  bool m_in_constant = false;
  std::optional<Extent> m_chosen; // of an `if constexpr` whose condition is visited
};

} // namespace

void collect_shapes(CXCursor declaration, UserFiles& files, Program& program) {
  if (files.path(begin_of(declaration).file) != nullptr) Collector(files, program).visit(declaration);
}

} // namespace reex::impact
