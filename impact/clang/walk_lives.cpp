// How long objects with a destructor live: variables, and what a call gives for the rest of its statement.
#include <algorithm>

#include "impact/clang/walker.h"

namespace reex::impact {
namespace {

// The destructor that the type's class declares, or that of the object that it refers to; else a null cursor.
CXCursor destructor_of(CXType type) {
  CXType object = clang_getCanonicalType(type);
  if (object.kind == CXType_LValueReference || object.kind == CXType_RValueReference)
    object = clang_getCanonicalType(clang_getPointeeType(object));
  CXCursor record = clang_getTypeDeclaration(object);
  if (!is_class(clang_getCursorKind(record))) return clang_getNullCursor();
  if (const CXCursor pattern = clang_getSpecializedCursorTemplate(record); !clang_Cursor_isNull(pattern))
    record = pattern;
  for (const CXCursor child : children_of(record))
    if (clang_getCursorKind(child) == CXCursor_Destructor) return child;
  return clang_getNullCursor();
}

bool is_reference(CXType type) {
  const CXTypeKind kind = clang_getCanonicalType(type).kind;
  return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

// A use of the object behind this one, as in `*object` and `object->member`.
bool looks_into(CXCursor call) {
  const std::string name = spelling(call);
  return name == "operator->" || name == "operator*";
}

std::vector<CXCursor> operands_of(CXCursor expression) {
  std::vector<CXCursor> operands = children_of(expression);
  std::erase_if(operands, [](CXCursor child) { return clang_isReference(clang_getCursorKind(child)) != 0; });
  return operands;
}

// Without parentheses, conversions, and the constructor that copies what a call gives.
CXCursor inner(CXCursor expression) {
  for (;;) {
    const CXCursorKind kind = clang_getCursorKind(expression);
    const bool wraps = kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
                       (kind == CXCursor_CallExpr &&
                        clang_getCursorKind(clang_getCursorReferenced(expression)) == CXCursor_Constructor);
    const std::vector<CXCursor> operands = wraps ? operands_of(expression) : std::vector<CXCursor>();
    if (operands.size() != 1) return expression;
    expression = operands.front();
  }
}

} // namespace

// A reference keeps what a call gives as long as the variable lives.
void Walker::life_of_variable(CXCursor variable) {
  const CXType type = clang_getCursorType(variable);
  CXCursor initializer = clang_getNullCursor();
  for (const CXCursor child : children_of(variable))
    if (clang_isExpression(clang_getCursorKind(child)) != 0) initializer = inner(child);
  const Extent extent = extent_of(variable);
  if (!clang_Cursor_isNull(initializer)) lives_in(initializer, extent, false);
  const std::string* file = m_files.path(begin_of(variable).file);
  if (file == nullptr || m_scopes.empty() || clang_Cursor_getStorageClass(variable) == CX_SC_Static) return;
  if (is_reference(type) &&
      (clang_Cursor_isNull(initializer) || clang_getCursorKind(initializer) != CXCursor_CallExpr ||
       is_reference(clang_getCursorResultType(clang_getCursorReferenced(initializer)))))
    return;
  const CXCursor destructor = destructor_of(type);
  if (clang_Cursor_isNull(destructor) || is_system(destructor)) return;
  const Position place = position_of(clang_getCursorLocation(variable));
  m_lives[{place.file, place.offset}] = {
      file, {extent.begin_line, extent.end_line, m_scopes.back().end_line, usr_of(destructor)}};
}

// What the calls of an expression give, unless another function gets it: only what a member of is used, or
// what `*` and `->` look into. `all`: also what the expression itself gives.
void Walker::lives_in(CXCursor expression, const Extent& statement, bool all) {
  const CXCursor at = inner(expression);
  const CXCursorKind kind = clang_getCursorKind(at);
  const std::vector<CXCursor> operands = operands_of(at);
  if (kind == CXCursor_CallExpr) {
    if (all) add_life(clang_getCursorType(at), at, statement, statement.end_line);
    if (spelling(at) == "operator=" && !operands.empty()) return life_of_assigned(operands, statement);
    if (operands.empty()) return;
    const CXCursor object = inner(operands.front());
    life_of_called(object, statement);
    if (looks_into(at) || clang_getCursorKind(object) == CXCursor_MemberRefExpr)
      lives_in(object, statement, true);
    return;
  }
  if (kind == CXCursor_MemberRefExpr || kind == CXCursor_UnaryOperator || kind == CXCursor_BinaryOperator ||
      kind == CXCursor_CompoundAssignOperator || kind == CXCursor_ArraySubscriptExpr)
    for (const CXCursor operand : operands) lives_in(operand, statement, true);
}

// What a variable's function takes, it gives back with its life: `lock.lock();`.
void Walker::life_of_called(CXCursor member, const Extent& statement) {
  if (clang_getCursorKind(member) != CXCursor_MemberRefExpr) return;
  for (const CXCursor operand : operands_of(member)) {
    const Position place = position_of(clang_getCursorLocation(clang_getCursorReferenced(inner(operand))));
    if (const auto variable = m_lives.find({place.file, place.offset}); variable != m_lives.end()) {
      const auto& [file, life] = variable->second;
      m_program[*file].lives.insert({statement.begin_line, statement.end_line, life.until, life.destructor});
    }
  }
}

// What is assigned to a variable lives as long as this.
void Walker::life_of_assigned(const std::vector<CXCursor>& operands, const Extent& statement) {
  const CXCursor declared = clang_getCursorReferenced(inner(operands.front()));
  const Position place = position_of(clang_getCursorLocation(declared));
  const auto variable = m_lives.find({place.file, place.offset});
  if (variable == m_lives.end()) return;
  add_life(clang_getCursorType(declared), operands.front(), statement, variable->second.second.until);
}

void Walker::add_life(CXType type, CXCursor at, const Extent& statement, unsigned until) {
  if (is_reference(type)) return;
  const CXCursor destructor = destructor_of(type);
  const std::string* file = m_files.path(begin_of(at).file);
  if (file == nullptr || clang_Cursor_isNull(destructor) || is_system(destructor)) return;
  m_program[*file].lives.insert({statement.begin_line, statement.end_line, until, usr_of(destructor)});
}

// What a function returns does not end with it, also if another function hands it over (`return
// move(lock);`).
void Walker::give_on(CXCursor returned) {
  const CXCursor at = inner(returned);
  const CXCursorKind kind = clang_getCursorKind(at);
  if (kind == CXCursor_DeclRefExpr) {
    const Position place = position_of(clang_getCursorLocation(clang_getCursorReferenced(at)));
    m_lives.erase({place.file, place.offset});
    return;
  }
  if (kind == CXCursor_MemberRefExpr || kind == CXCursor_UnaryOperator || kind == CXCursor_LambdaExpr ||
      (kind == CXCursor_CallExpr && looks_into(at)))
    return;
  for (const CXCursor operand : operands_of(at)) give_on(operand);
}

void Walker::finish_lives() {
  for (auto& [variable, life] : m_lives) m_program[*life.first].lives.insert(std::move(life.second));
  m_lives.clear();
}

} // namespace reex::impact
