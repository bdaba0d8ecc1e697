// Declarations: classes, functions with their extents, data members and variables.
#include <algorithm>

#include "impact/clang/walker.h"

namespace reex::impact {
namespace {

// Whether a lambda with this introducer, "[&, x]", captures the variable by reference.
bool captures_by_reference(std::string_view introducer, std::string_view name) {
  bool by_default = false;
  while (!introducer.empty()) {
    introducer.remove_prefix(1); // the bracket, or a comma
    std::string_view capture = introducer.substr(0, introducer.find_first_of(",]"));
    introducer.remove_prefix(capture.size());
    const auto trim = [&capture] {
      capture.remove_prefix(std::min(capture.find_first_not_of(" \t\n"), capture.size()));
    };
    trim();
    const bool reference = capture.starts_with('&');
    if (reference) capture.remove_prefix(1);
    trim();
    capture = capture.substr(0, capture.find_first_of(" \t\n=.{("));
    if (capture == name) return reference;
    by_default = by_default || (reference && capture.empty());
  }
  return by_default;
}

// The members that the names of a structured binding stand for, if it binds members and not what a tuple
// gives.
std::vector<CXCursor> bound_members(CXType type, std::size_t names) {
  const CXType pointee = clang_getPointeeType(clang_getCanonicalType(type));
  CXCursor record = clang_getTypeDeclaration(pointee.kind == CXType_Invalid ? type : pointee);
  if (const CXCursor pattern = clang_getSpecializedCursorTemplate(record); !clang_Cursor_isNull(pattern))
    record = pattern;
  std::vector<CXCursor> members = children_of(record);
  std::erase_if(members, [](CXCursor member) {
    return clang_getCursorKind(member) != CXCursor_FieldDecl || spelling(member).empty();
  });
  return members.size() == names ? members : std::vector<CXCursor>();
}

} // namespace

void Walker::declaration(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (m_files.path(begin_of(cursor).file) == nullptr) return;
  if (is_class(kind)) return class_definition(cursor);
  if (is_function(kind)) {
    return clang_isCursorDefinition(cursor) != 0 ? function(cursor) : function_declaration(cursor);
  }
  switch (kind) {
  case CXCursor_FieldDecl:
  case CXCursor_VarDecl:
    return field_declaration(cursor);
  case CXCursor_Namespace:
  case CXCursor_LinkageSpec:
  case CXCursor_FriendDecl:
  case CXCursor_UnexposedDecl:
    for (const CXCursor child : children_of(cursor)) declaration(child);
    return;
  default:
    return;
  }
}

void Walker::class_definition(CXCursor cursor) {
  if (clang_isCursorDefinition(cursor) == 0) return;
  const std::string* file = m_files.path(begin_of(cursor).file);
  m_program[*file].classes.insert({extent_of(cursor), qualified_name(cursor)});
  for (const CXCursor child : children_of(cursor)) declaration(child);
  bit_field_separators(cursor);
}

// Bit fields beside each other are one memory location, and an unnamed one of width 0 makes two of them: a
// change of it is as a change of the accesses of its neighbours.
void Walker::bit_field_separators(CXCursor class_definition) {
  std::vector<CXCursor> fields = children_of(class_definition);
  std::erase_if(fields, [](CXCursor child) { return clang_getCursorKind(child) != CXCursor_FieldDecl; });
  for (std::size_t i = 1; i + 1 < fields.size(); ++i) {
    if (!spelling(fields[i]).empty() || clang_getFieldDeclBitWidth(fields[i]) != 0) continue;
    const std::string* file = m_files.path(begin_of(fields[i]).file);
    const Extent place = extent_of(fields[i]);
    for (const CXCursor neighbour : {fields[i - 1], fields[i + 1]})
      if (clang_Cursor_isBitField(neighbour) != 0 && !spelling(neighbour).empty())
        m_program[*file].accesses.insert(
            {place.begin_line, place.begin_column, {class_of(neighbour), spelling(neighbour)}});
  }
}

void Walker::field_declaration(CXCursor cursor) {
  const Extent extent = extent_of(cursor);
  const std::string* file = m_files.path(begin_of(cursor).file);
  Declaration fact;
  fact.first = extent.begin_line;
  fact.last = extent.end_line;
  if (clang_getCursorKind(cursor) == CXCursor_FieldDecl) {
    fact.field = {class_of(cursor), spelling(cursor)};
  } else if (const std::optional<Field> field = shared_variable(cursor)) {
    fact.field = *field;
  }
  if (!fact.field.name.empty()) m_program[*file].declarations.insert(std::move(fact));
  // An initializer belongs to its class or file, and to no function.
  m_contexts.push_back({class_of(cursor), "", false, nullptr, 0, 0, ""});
  if (clang_getCursorKind(cursor) == CXCursor_VarDecl) {
    variable(cursor);
  } else {
    for (const CXCursor child : children_of(cursor)) {
      if (clang_isExpression(clang_getCursorKind(child)) != 0) expression(child);
    }
  }
  leave_function();
}

void Walker::function_declaration(CXCursor cursor) {
  const Extent extent = extent_of(cursor);
  Declaration fact;
  fact.first = extent.begin_line;
  fact.last = extent.end_line;
  fact.class_name = class_of(cursor);
  fact.method = method_name(cursor);
  fact.usr = usr_of(cursor);
  m_program[*m_files.path(begin_of(cursor).file)].declarations.insert(std::move(fact));
}

void Walker::function(CXCursor cursor) {
  const std::string* file = m_files.path(begin_of(cursor).file);
  const Extent extent = extent_of(cursor);
  const std::string class_name = class_of(cursor);
  const std::string method = method_name(cursor);
  m_program[*file].functions.insert({extent, class_name, method, usr_of(cursor), false});
  m_contexts.push_back({class_name, method, false, nullptr, 0, 0, ""});
  flow(FlowStep::Kind::function, begin_of(cursor));
  constructor_initializers(cursor);
  for (const CXCursor child : children_of(cursor)) {
    if (clang_isStatement(clang_getCursorKind(child)) != 0) {
      record_lines(file, extent.begin_line, begin_of(child).line, m_holes.size());
      statement(child);
    }
  }
  flow(FlowStep::Kind::function_end, end_of(cursor));
  leave_function();
}

// In `: m(i), b(m, k)`, libclang's children are each member's name, followed by its initializer.
void Walker::constructor_initializers(CXCursor cursor) {
  int member_node = -1;
  for (const CXCursor child : children_of(cursor)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_MemberRef) {
      const CXCursor field = clang_getCursorReferenced(child);
      member_node = clang_getCursorKind(field) == CXCursor_FieldDecl
                        ? access(child, {Field{class_of(field), spelling(field)}})
                        : -1;
    } else if (clang_isExpression(kind) != 0) {
      const Value value = expression(child);
      if (value.direct) m_groups.join(member_node, value.node);
      member_node = -1;
    } else if (kind == CXCursor_ParmDecl) {
      for (const CXCursor part : children_of(child)) {
        if (clang_isExpression(clang_getCursorKind(part)) != 0) expression(part);
      }
    }
  }
}

void Walker::leave_function() {
  m_contexts.pop_back();
  if (!m_contexts.empty()) return;
  finish_lock_pairs();
  finish_lives();
  // A local variable that no lambda shares does not count as a field.
  std::set<Field> dropped;
  std::set_difference(m_locals.begin(), m_locals.end(), m_captured.begin(), m_captured.end(),
                      std::inserter(dropped, dropped.end()));
  m_groups.flush(m_program, dropped);
  for (auto& [file, fact] : m_accesses) {
    if (!dropped.contains(fact.field)) m_program[*file].accesses.insert(std::move(fact));
  }
  for (auto& [file, fact] : m_declared) {
    if (m_captured.contains(fact.field)) m_program[*file].declarations.insert(std::move(fact));
  }
  m_accesses.clear();
  m_declared.clear();
  m_locals.clear();
  m_captured.clear();
  m_aliases.clear();
  m_holes.clear();
}

std::string Walker::function_prefix() const {
  for (const Context& context : m_contexts) {
    if (context.lambda || context.method.empty()) continue;
    return (context.class_name.empty() ? "" : context.class_name + "::") + context.method + "()::";
  }
  return "";
}

std::optional<Field> Walker::shared_variable(CXCursor cursor) {
  if (clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor))) != 0)
    return std::nullopt;
  if (clang_getCursorTLSKind(cursor) != CXTLS_None || is_system(cursor)) return std::nullopt;
  const CXCursor parent = clang_getCursorSemanticParent(cursor);
  const CXCursorKind kind = clang_getCursorKind(parent);
  if (is_class(kind)) return Field{qualified_name(parent), spelling(cursor)};
  if (clang_isTranslationUnit(kind) != 0 || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec) {
    return Field{"", qualified_name(cursor)};
  }
  if (clang_Cursor_getStorageClass(cursor) == CX_SC_Static)
    return Field{"", function_prefix() + spelling(cursor)};
  return std::nullopt;
}

// What a lambda captures, and how, decides what its uses of the variables around it refer to.
void Walker::captured_use(const Variable& declared, CXCursor cursor) {
  const Position place = position_of(clang_getCursorLocation(cursor));
  const std::string* file = m_files.path(place.file);
  if (file == nullptr) return;
  for (const Context& context : m_contexts)
    if (context.lambda &&
        (context.file != declared.first || declared.second < context.begin || context.end <= declared.second))
      m_program[*file].uses.insert({place.line, context.captures, ""});
}

// Whether this use of a local variable is inside a lambda that captures the variable by reference.
bool Walker::is_shared_local(const Variable& declared, CXCursor cursor) {
  for (const Context& context : m_contexts) {
    if (!context.lambda || context.file != declared.first) continue;
    if (context.begin <= declared.second && declared.second < context.end) continue;
    return captures_by_reference(context.introducer, spelling(cursor));
  }
  return false;
}

// A variable in a function whose declaration a change may touch. A static one is shared by itself; whether a
// lambda shares another one is known at the end of the function.
void Walker::declare_variable(CXCursor cursor) {
  const std::string* file = m_files.path(begin_of(cursor).file);
  if (file == nullptr) return;
  const Extent extent = extent_of(cursor);
  Declaration fact;
  fact.first = extent.begin_line;
  fact.last = extent.end_line;
  if (const std::optional<Field> field = shared_variable(cursor)) {
    fact.field = *field;
    m_program[*file].declarations.insert(std::move(fact));
  } else {
    fact.field = {"", function_prefix() + spelling(cursor)};
    m_declared.emplace_back(file, std::move(fact));
  }
}

Walker::Value Walker::variable(CXCursor cursor) {
  if (!function_prefix().empty()) declare_variable(cursor);
  const CXType type = clang_getCursorType(cursor);
  const CXTypeKind type_kind = clang_getCanonicalType(type).kind;
  const bool reference = type_kind == CXType_LValueReference || type_kind == CXType_RValueReference;
  const bool guard = m_guards.is_guard(type);
  if (guard || m_guards.locks_later(type) || (m_guards.may_hold_guard(type) && initializer(cursor).empty()))
    lock_variable(cursor);
  Value value;
  std::set<Field> guarded;
  const int node = add_node(cursor);
  for (const CXCursor child : children_of(cursor)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (clang_isExpression(kind) == 0) {
      if (is_class(kind)) declaration(child);
      continue;
    }
    value = expression(child);
    guarded.insert(value.fields.begin(), value.fields.end());
    if (!reference && value.direct) m_groups.join(node, value.node);
  }
  const Position place = position_of(clang_getCursorLocation(cursor));
  const Variable key{place.file, place.offset};
  if (reference && !value.fields.empty()) m_aliases[key] = value.fields;
  if (guard && !guarded.empty()) m_aliases[key] = guarded;
  if (!reference) destructor_call(cursor);
  life_of_variable(cursor);
  return value;
}

// `auto& [first, second] = m_pair;`. libclang's children are the names, followed by the initializer.
void Walker::structured_binding(CXCursor cursor) {
  const int node = add_node(cursor);
  const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
  const bool reference = type == CXType_LValueReference || type == CXType_RValueReference;
  for (const CXCursor child : children_of(cursor)) {
    if (clang_isExpression(clang_getCursorKind(child)) == 0) continue;
    const Value value = expression(child);
    if (reference)
      bind_names(cursor, value.fields);
    else if (value.direct)
      m_groups.join(node, value.node);
  }
  if (!reference) destructor_call(cursor);
}

// The names refer to the members of an object, which is a part of these fields.
void Walker::bind_names(CXCursor binding, const std::set<Field>& object) {
  std::vector<CXCursor> names = children_of(binding);
  std::erase_if(names, [](CXCursor name) { return clang_getCursorKind(name) != CXCursor_UnexposedDecl; });
  const std::vector<CXCursor> members = bound_members(clang_getCursorType(binding), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::set<Field> fields = object;
    if (i < members.size() && !is_system(members[i]))
      fields.insert({class_of(members[i]), spelling(members[i])});
    const Position place = position_of(clang_getCursorLocation(names[i]));
    if (!fields.empty()) m_aliases[{place.file, place.offset}] = std::move(fields);
  }
}

std::string Walker::initializer(CXCursor cursor) {
  const Position name = position_of(clang_getCursorLocation(cursor));
  std::string text(m_files.text(name.file, name.offset, end_of(cursor).offset));
  text.erase(0, std::min(text.size(), spelling(cursor).size()));
  text.erase(0, text.find_first_not_of(" =\t\n"));
  if (text.size() < 2 || (text.front() != '(' && text.front() != '{')) return text;
  return text.substr(1, text.size() - 2);
}

void Walker::destructor_call(CXCursor cursor) {
  CXCursor record = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
  if (!is_class(clang_getCursorKind(record)) || is_system(record)) return;
  const CXCursor pattern = clang_getSpecializedCursorTemplate(record);
  if (!clang_Cursor_isNull(pattern)) record = pattern;
  for (const CXCursor child : children_of(record)) {
    if (clang_getCursorKind(child) == CXCursor_Destructor) record_call(cursor, child);
  }
}

} // namespace reex::impact
