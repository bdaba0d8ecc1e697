// Expressions: accesses of fields (analysis 3 of section 4.2.1), direct calls (analysis 4), and the nodes and
// groups of access_groups.h.
#include <algorithm>

#include "impact/clang/walker.h"

namespace reex::impact {
namespace {

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The x in `x.f` or `x->f`, up to the last of these; "" without one.
std::string object_of_call(const std::string& text) {
  const std::size_t dot = text.rfind('.');
  const std::size_t arrow = text.rfind("->");
  if (dot == std::string::npos && arrow == std::string::npos) return "";
  const bool ends_at_arrow = dot == std::string::npos || (arrow != std::string::npos && arrow > dot);
  return text.substr(0, ends_at_arrow ? arrow : dot);
}

// The operator in `x.operator()`; "" if there is none.
std::string operator_name(std::string_view text) {
  constexpr std::string_view k_operator = "operator";
  const std::size_t begin = text.rfind(k_operator);
  if (begin == std::string_view::npos || (begin > 0 && is_name_character(text[begin - 1]))) return "";
  std::string sign(text.substr(begin + k_operator.size()));
  std::erase_if(sign, [](char c) { return c == ' ' || c == '\t' || c == '\n'; });
  const bool only_signs = sign.find_first_not_of("()[]+-*/%^&|~!=<>,") == std::string::npos;
  return only_signs && !sign.empty() ? std::string(k_operator) + sign : "";
}

// The name of the member in `x.f`, `x->f` or `x->template f<int>`; without an x, the name at the beginning.
std::string member_name(std::string_view text) {
  if (std::string name = operator_name(text); !name.empty()) return name;
  const std::size_t dot = text.rfind('.');
  const std::size_t arrow = text.rfind("->");
  std::size_t at = 0;
  if (dot != std::string_view::npos) at = dot + 1;
  if (arrow != std::string_view::npos && arrow + 2 > at) at = arrow + 2;
  text.remove_prefix(at);
  const auto skip_space = [&] {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  };
  skip_space();
  if (text.starts_with("template ")) text.remove_prefix(9);
  skip_space();
  std::size_t length = 0;
  while (length < text.size() && is_name_character(text[length])) ++length;
  return std::string(text.substr(0, length));
}

// The f in `Traits<T>::f` or `Traits<T>::template f<int>`; "" without a scope.
std::string name_in_scope(const std::string& text) {
  const std::size_t scope = text.rfind("::");
  return scope == std::string::npos ? "" : member_name(std::string_view(text).substr(scope + 2));
}

// The operator() of a lambda's class; a null cursor if libclang does not show it.
CXCursor call_operator(CXCursor lambda) {
  const CXCursor closure = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(lambda)));
  for (const CXCursor child : children_of(closure))
    if (is_function(clang_getCursorKind(child)) && spelling(child) == "operator()") return child;
  return clang_getNullCursor();
}

// Functions that lock or unlock return nothing, whether they did, or an error. The lock() of a std::weak_ptr
// returns an object.
bool returns_as_a_lock(CXCursor function) {
  const CXTypeKind kind = clang_getCanonicalType(clang_getCursorResultType(function)).kind;
  return kind == CXType_Void || kind == CXType_Bool || kind == CXType_Int;
}

bool returns_reference(CXCursor function) {
  const CXTypeKind kind = clang_getCanonicalType(clang_getCursorResultType(function)).kind;
  return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

} // namespace

bool Walker::is_system(CXCursor declared) {
  return m_files.path(position_of(clang_getCursorLocation(declared)).file) == nullptr;
}

std::string Walker::text(CXCursor cursor) {
  const Position begin = begin_of(cursor);
  return std::string(m_files.text(begin.file, begin.offset, end_of(cursor).offset));
}

int Walker::add_node(CXCursor cursor) {
  const std::string* file = m_files.path(begin_of(cursor).file);
  return file == nullptr ? -1 : m_groups.add(file, extent_of(cursor));
}

// Records an access of each of the fields at the cursor's place: a member, and the fields that contain it.
int Walker::access(CXCursor cursor, const std::set<Field>& fields) {
  const Position place = position_of(clang_getCursorLocation(cursor));
  const int node = add_node(cursor);
  if (node < 0) return node;
  m_groups.add_fields(node, fields);
  const std::string* file = m_files.path(place.file);
  if (file == nullptr) return node;
  for (const Field& field : fields) m_accesses.push_back({file, {place.line, place.column, field}});
  return node;
}

Walker::Value Walker::expression(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  switch (kind) {
  case CXCursor_CallExpr:
    return call(cursor);
  case CXCursor_MemberRefExpr:
    return member(cursor);
  case CXCursor_DeclRefExpr:
    return named(cursor);
  case CXCursor_BinaryOperator:
    return binary(cursor, false);
  case CXCursor_CompoundAssignOperator:
    return binary(cursor, true);
  case CXCursor_UnaryOperator:
    return unary(cursor);
  case CXCursor_ArraySubscriptExpr:
    return subscript(cursor);
  case CXCursor_ConditionalOperator:
    return conditional(cursor);
  case CXCursor_LambdaExpr:
    return lambda(cursor);
  case CXCursor_CXXNewExpr:
  case CXCursor_CXXDeleteExpr:
    return creation(cursor);
  case CXCursor_UnaryExpr: // sizeof and alignof evaluate nothing
    return {};
  default:
    break;
  }
  if (clang_isReference(kind) != 0) return {};
  if (clang_isExpression(kind) != 0) return transparent(cursor);
  if (clang_isStatement(kind) != 0) statement(cursor);
  return {};
}

// Parentheses, casts and initializer lists: the value of the only operand, or the fields of all operands.
Walker::Value Walker::transparent(CXCursor cursor) {
  Value result;
  unsigned operands = 0;
  for (const CXCursor child : children_of(cursor)) {
    if (clang_getCursorKind(child) == CXCursor_MemberRef &&
        text(cursor).starts_with('.')) // `.f = 1` in a list
      if (const CXCursor named = clang_getCursorReferenced(child); !is_system(named))
        access(child, {Field{class_of(named), spelling(named)}});
    if (clang_isReference(clang_getCursorKind(child)) != 0) continue;
    const Value value = expression(child);
    if (++operands == 1) {
      result = value;
    } else {
      result.fields.insert(value.fields.begin(), value.fields.end());
      result.conversion = false;
      if (result.direct && value.direct) m_groups.join(result.node, value.node);
      if (!result.direct) result.node = value.node, result.direct = value.direct;
    }
  }
  return result;
}

// `callee`: it is what a call names.
Walker::Value Walker::member(CXCursor cursor, bool callee) {
  Value base;
  bool arrow = true; // also for the implicit `this`
  for (const CXCursor child : children_of(cursor)) {
    if (clang_isReference(clang_getCursorKind(child)) != 0) continue;
    base = expression(child);
    arrow = clang_getCanonicalType(clang_getCursorType(child)).kind == CXType_Pointer;
  }
  const CXCursor named_member = clang_getCursorReferenced(cursor);
  const CXCursorKind kind = clang_getCursorKind(named_member);
  std::set<Field> fields;
  if (kind == CXCursor_FieldDecl) {
    // A member of a system class counts as a part of the object that contains it.
    if (is_system(named_member)) return base;
    fields.insert({class_of(named_member), spelling(named_member)});
  } else if (kind == CXCursor_VarDecl) {
    if (const std::optional<Field> field = shared_variable(named_member)) fields.insert(*field);
  } else if (is_function(kind)) {
    return {add_node(cursor), base.fields, false, false};
  } else {
    // A template does not know the member. What is called on a field is a method of it; what is called on
    // something else may be a field itself, or the method of an atomic.
    if (callee && !base.fields.empty()) return {add_node(cursor), base.fields, false, false};
    const std::string name = member_name(text(cursor));
    if (name.empty()) return base;
    fields.insert({"", name, true});
  }
  if (!arrow) fields.insert(base.fields.begin(), base.fields.end()); // o.p.x changes a part of o.p
  return {access(cursor, fields), fields, true, false};
}

Walker::Value Walker::named(CXCursor cursor) {
  const CXCursor declared = clang_getCursorReferenced(cursor);
  const CXCursorKind kind = clang_getCursorKind(declared);
  if (kind == CXCursor_FieldDecl) {
    const std::set<Field> fields{{class_of(declared), spelling(declared)}};
    return {access(cursor, fields), fields, true, false};
  }
  const bool bound = kind == CXCursor_UnexposedDecl; // a name of a structured binding
  if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl && !bound) return {};
  if (kind == CXCursor_VarDecl) {
    if (const std::optional<Field> field = shared_variable(declared)) {
      return {access(cursor, {*field}), {*field}, true, false};
    }
  }
  const Position place = position_of(clang_getCursorLocation(declared));
  const Variable variable_key{place.file, place.offset};
  captured_use(variable_key, cursor);
  std::set<Field> fields;
  if (const auto alias = m_aliases.find(variable_key); alias != m_aliases.end()) fields = alias->second;
  if (!bound && !is_system(declared) && !m_contexts.empty() &&
      clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(declared))) == 0) {
    const Field local{"", function_prefix() + spelling(declared)};
    const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(declared)).kind;
    if (type != CXType_LValueReference && type != CXType_RValueReference) {
      fields.insert(local);
      m_locals.insert(local);
      if (is_shared_local(variable_key, cursor)) m_captured.insert(local);
    }
  }
  if (fields.empty()) return {};
  return {access(cursor, fields), fields, true, false};
}

void Walker::record_call(CXCursor cursor, CXCursor callee) {
  if (is_system(callee)) return;
  const Position place = position_of(clang_getCursorLocation(cursor));
  const std::string* file = m_files.path(place.file);
  if (file == nullptr) return;
  m_program[*file].calls.insert({place.line, place.column, usr_of(callee), spelling(callee), false});
}

// `&Worker::init` in `std::call_once(flag, &Worker::init, this)`.
void Walker::record_given_function(CXCursor argument) {
  const CXCursorKind kind = clang_getCursorKind(argument);
  const CXCursor named = clang_getCursorReferenced(argument);
  if (kind == CXCursor_DeclRefExpr && is_function(clang_getCursorKind(named)))
    return record_call(argument, named);
  if (kind != CXCursor_UnexposedExpr && kind != CXCursor_UnaryOperator && kind != CXCursor_ParenExpr) return;
  for (const CXCursor child : children_of(argument)) record_given_function(child);
}

// What a loop over a range calls, and libclang does not show: begin() and end(), and the operators of what
// they return.
void Walker::record_iteration(CXCursor range) {
  const auto methods_of = [](CXType type) {
    CXType object = clang_getCanonicalType(type);
    if (const CXType pointee = clang_getPointeeType(object); pointee.kind != CXType_Invalid) object = pointee;
    CXCursor record = clang_getTypeDeclaration(object);
    if (const CXCursor pattern = clang_getSpecializedCursorTemplate(record); !clang_Cursor_isNull(pattern))
      record = pattern;
    std::vector<CXCursor> methods = children_of(record);
    std::erase_if(methods, [](CXCursor child) { return !is_function(clang_getCursorKind(child)); });
    return methods;
  };
  for (const CXCursor method : methods_of(clang_getCursorType(range))) {
    const std::string name = spelling(method);
    if (name != "begin" && name != "end") continue;
    record_call(range, method);
    for (const CXCursor step : methods_of(clang_getCursorResultType(method)))
      if (const std::string sign = spelling(step);
          sign == "operator*" || sign == "operator++" || sign == "operator!=" || sign == "operator==")
        record_call(range, step);
  }
}

// Who calls a function without an argument calls and accesses what its default argument does.
void Walker::record_default_argument(CXCursor call, CXCursor parameter) {
  for (const CXCursor child : children_of(parameter)) {
    record_default_argument(call, child);
    const CXCursor named = clang_getCursorReferenced(child);
    const CXCursorKind kind = clang_getCursorKind(named);
    if (clang_isExpression(clang_getCursorKind(child)) == 0) continue;
    if (clang_getCursorKind(child) == CXCursor_CallExpr) {
      if (!is_function(kind)) continue;
      record_call(call, named);
      record_default_arguments(child, call);
    } else if (kind == CXCursor_FieldDecl && !is_system(named)) {
      access(call, {Field{class_of(named), spelling(named)}});
    } else if (kind == CXCursor_VarDecl) {
      if (const std::optional<Field> field = shared_variable(named)) access(call, {*field});
    }
  }
}

// Of the call `given`, which is written where `call` is, or in a default argument of what is called there.
void Walker::record_default_arguments(CXCursor given, CXCursor call) {
  const CXCursor callee = clang_getCursorReferenced(given);
  for (int i = 0; i < clang_Cursor_getNumArguments(given); ++i)
    if (const auto argument = static_cast<unsigned>(i);
        begin_of(clang_Cursor_getArgument(given, argument)).line == 0)
      record_default_argument(call, clang_Cursor_getArgument(callee, argument));
}

void Walker::record_dependent_call(CXCursor cursor, const std::string& name) {
  const Position place = position_of(clang_getCursorLocation(cursor));
  const std::string* file = m_files.path(place.file);
  if (file == nullptr || name.empty()) return;
  m_program[*file].calls.insert({place.line, place.column, "", name, true});
}

Walker::Value Walker::call(CXCursor cursor) {
  const CXCursor callee = clang_getCursorReferenced(cursor);
  const CXCursorKind callee_kind = clang_getCursorKind(callee);
  const bool known = is_function(callee_kind);
  const bool system_callee = known && is_system(callee);
  std::string name = known ? spelling(callee) : "";
  const bool operator_call = name.starts_with("operator") && name.size() > 8 && !is_name_character(name[8]);
  const bool conversion = callee_kind == CXCursor_ConversionFunction;

  const int node = add_node(cursor);
  std::set<Field> object;
  std::set<Field> all;
  std::string object_text;
  bool first = true;
  for (const CXCursor child : children_of(cursor)) {
    if (clang_isReference(clang_getCursorKind(child)) != 0) continue;
    const bool is_callee_member = first && clang_getCursorKind(child) == CXCursor_MemberRefExpr;
    const CXCursor member_function = clang_getCursorReferenced(child);
    const bool names_method =
        is_callee_member && (is_function(clang_getCursorKind(member_function)) ||
                             clang_getCursorKind(member_function) != CXCursor_FieldDecl);
    const Value value = names_method ? member(child, true) : expression(child);
    if (names_method) {
      const std::string callee_text = text(child);
      if (!known) name = member_name(callee_text);
      object_text = object_of_call(callee_text);
      object = value.fields;
      m_groups.join(node, value.node);
      if (!known) record_dependent_call(cursor, name);
    } else {
      if (first && !known && clang_getCursorKind(child) == CXCursor_DeclRefExpr &&
          clang_Cursor_isNull(member_function) != 0)
        record_dependent_call(cursor, name_in_scope(text(child)));
      if (value.direct) m_groups.join(node, value.node);
      if (first && operator_call) object = value.fields;
      if (object_text.empty()) object_text = text(child);
    }
    all.insert(value.fields.begin(), value.fields.end());
    first = false;
  }
  m_groups.add_fields(node, object);
  if (conversion || system_callee) m_groups.add_fields(node, all);
  const bool starts_at_operand = conversion || callee_kind == CXCursor_Constructor || name == "operator[]" ||
                                 name == "operator()" || name == "operator->" || name == "operator++" ||
                                 name == "operator--";
  if (starts_at_operand) join_with_first_token(node, cursor);
  if (known) record_call(cursor, callee);
  if (known) record_default_arguments(cursor, cursor);
  for (int i = 0; system_callee && calls_at_once(callee) && i < clang_Cursor_getNumArguments(cursor); ++i)
    record_given_function(clang_Cursor_getArgument(cursor, static_cast<unsigned>(i)));
  if (system_callee && ends_program(name)) flow(FlowStep::Kind::ends, end_of(cursor));
  if (callee_kind == CXCursor_OverloadedDeclRef) {
    for (unsigned i = 0; i < clang_getNumOverloadedDecls(callee); ++i) {
      record_call(cursor, clang_getOverloadedDecl(callee, i));
    }
  }
  if (const LockCall late = late_lock_of(name, object_text); late != LockCall::none)
    lock_call(cursor, late, object_text);
  else if (!known || returns_as_a_lock(callee))
    for (const std::string& object_locked : locked_by(cursor, callee, object_text))
      lock_call(cursor, lock_call_of(name), object_locked);
  if (name == "call_once") once_call(cursor);

  Value result{node, {}, true, conversion};
  if (conversion) result.fields = object;
  if (system_callee && (returns_reference(callee) || name == "operator->")) result.fields = all;
  // A constructor of a system class, such as a reference wrapper, or of a lock guard designates its
  // arguments.
  if (callee_kind == CXCursor_Constructor &&
      (system_callee || m_guards.is_guard(clang_getCursorType(cursor))))
    result.fields = all;
  return result;
}

// What a call locks or unlocks: of a method its object; of another function, as pthread_mutex_lock(&m), what
// it is given first, and of std::lock(a, b) all of it.
std::vector<std::string> Walker::locked_by(CXCursor call, CXCursor callee, const std::string& object) {
  const CXCursorKind kind = clang_getCursorKind(callee);
  const int arguments = clang_Cursor_getNumArguments(call);
  const bool of_class = is_class(clang_getCursorKind(clang_getCursorSemanticParent(callee)));
  if (!is_function(kind) || of_class || arguments < 1) return {object};
  std::vector<std::string> objects;
  for (int i = 0; i < (spelling(callee) == "lock" ? arguments : 1); ++i) {
    std::string argument = text(clang_Cursor_getArgument(call, static_cast<unsigned>(i)));
    argument.erase(0, std::min(argument.find_first_not_of("& \t\n"), argument.size()));
    objects.push_back(std::move(argument));
  }
  return objects;
}

// clang++ puts some operations at the first token of their expression. The smallest node there is a part of
// the expression.
void Walker::join_with_first_token(int node, CXCursor cursor) {
  const Position begin = begin_of(cursor);
  const std::string* file = m_files.path(begin.file);
  if (file != nullptr) m_groups.join(node, m_groups.smallest_at(file, begin.line, begin.column));
}

void Walker::join_with_last_token(int node, CXCursor operand) {
  const Position end = end_of(operand);
  const std::string* file = m_files.path(end.file);
  if (file != nullptr && end.column > 1) {
    m_groups.join(node, m_groups.smallest_at(file, end.line, end.column - 1));
  }
}

Walker::Value Walker::binary(CXCursor cursor, bool compound) {
  const int node = add_node(cursor);
  const std::vector<CXCursor> operands = children_of(cursor);
  std::vector<Value> values;
  for (const CXCursor operand : operands) values.push_back(expression(operand));
  if (values.size() != 2) return {node, {}, false, false};
  bool assignment = compound;
  if (!compound) {
    const Position left = end_of(operands[0]);
    const Position right = begin_of(operands[1]);
    const std::string_view between = m_files.text(left.file, left.offset, right.offset);
    const std::size_t sign = between.find('=');
    assignment = sign != std::string_view::npos && between.find("==") == std::string_view::npos &&
                 (sign == 0 || std::string_view("<>!").find(between[sign - 1]) == std::string_view::npos);
    if (between.find(',') != std::string_view::npos) return values[1];
  }
  if (assignment) m_groups.add_fields(node, values[0].fields);
  // For `i = m` with a local i, g++ makes one instruction, at the '='.
  const bool to_local = clang_getCursorKind(operands[0]) == CXCursor_DeclRefExpr;
  if (assignment && !compound && to_local && values[1].direct) m_groups.join(node, values[1].node);
  if (values[0].conversion || values[1].conversion) {
    for (const Value& value : values) m_groups.join(node, value.node);
    join_with_last_token(node, operands[1]);
  }
  return {node, assignment ? values[0].fields : std::set<Field>{}, false, false};
}

Walker::Value Walker::unary(CXCursor cursor) {
  const std::string whole = text(cursor);
  const bool step =
      whole.starts_with("++") || whole.starts_with("--") || whole.ends_with("++") || whole.ends_with("--");
  const bool address = whole.starts_with("&");
  const std::vector<CXCursor> operands = children_of(cursor);
  if (address) return operands.empty() ? Value{} : expression(operands.front());
  const int node = add_node(cursor);
  Value value = operands.empty() ? Value{} : expression(operands.front());
  if (step) m_groups.add_fields(node, value.fields);
  return {node, step ? value.fields : std::set<Field>{}, false, false};
}

Walker::Value Walker::subscript(CXCursor cursor) {
  const int node = add_node(cursor);
  std::vector<Value> values;
  for (const CXCursor child : children_of(cursor)) values.push_back(expression(child));
  if (values.empty()) return {node, {}, true, false};
  m_groups.add_fields(node, values.front().fields);
  m_groups.join(node, values.front().node);
  if (values.size() > 1 && values[1].direct) m_groups.join(node, values[1].node);
  join_with_first_token(node, cursor);
  return {node, values.front().fields, true, false};
}

Walker::Value Walker::conditional(CXCursor cursor) {
  const int node = add_node(cursor);
  const std::vector<CXCursor> operands = children_of(cursor);
  std::set<Field> fields;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Value value = expression(operands[i]);
    if (i > 0) {
      if (value.direct) m_groups.join(node, value.node);
      fields.insert(value.fields.begin(), value.fields.end());
    } else if (value.conversion) {
      m_groups.join(node, value.node);
    }
  }
  return {node, fields, true, false};
}

Walker::Value Walker::lambda(CXCursor cursor) {
  const Position begin = begin_of(cursor);
  const Position end = end_of(cursor);
  const std::string* file = m_files.path(begin.file);
  if (file == nullptr) return {};
  add_node(cursor);
  std::string introducer = text(cursor);
  introducer.resize(std::min(introducer.find(']') + 1, introducer.size()));
  const std::string captures = "captures@" + std::to_string(begin.offset) + "@" + *file;
  Context context{"", "", true, begin.file, begin.offset, end.offset, introducer, captures};
  Shape shape;
  shape.first = begin.line;
  shape.last = begin.line + static_cast<unsigned>(std::count(introducer.begin(), introducer.end(), '\n'));
  shape.usr = captures;
  shape.name = "capture list";
  shape.text = introducer;
  m_program[*file].shapes.insert(std::move(shape));
  if (!m_contexts.empty()) {
    context.class_name = m_contexts.back().class_name;
    context.method = m_contexts.back().method;
  }
  context.method += "::(lambda)";
  m_program[*file].functions.insert(
      {extent_of(cursor), context.class_name, context.method, usr_of(call_operator(cursor)), true});
  // What a capture with an initializer refers to. libclang shows the variable only as captured.
  for (const CXCursor child : children_of(cursor)) {
    const CXCursor captured = clang_getCursorReferenced(child);
    const Position place = position_of(clang_getCursorLocation(captured));
    if (clang_getCursorKind(child) == CXCursor_VariableRef &&
        clang_getCursorKind(captured) == CXCursor_VarDecl && place.file == begin.file &&
        begin.offset <= place.offset && place.offset < end.offset)
      variable(captured);
  }
  m_contexts.push_back(context);
  flow(FlowStep::Kind::function, begin);
  for (const CXCursor child : children_of(cursor)) {
    const CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_CompoundStmt) {
      m_holes.push_back(extent_of(child));
      statement(child);
    } else if (clang_isExpression(kind) != 0) {
      expression(child);
    } else if (kind == CXCursor_VarDecl) {
      variable(child);
    }
  }
  flow(FlowStep::Kind::function_end, end);
  m_contexts.pop_back();
  return {};
}

Walker::Value Walker::creation(CXCursor cursor) {
  const int node = add_node(cursor);
  for (const CXCursor child : children_of(cursor)) {
    if (clang_isReference(clang_getCursorKind(child)) != 0) continue;
    const Value value = expression(child);
    if (value.direct) m_groups.join(node, value.node);
  }
  return {node, {}, false, false};
}

} // namespace reex::impact
