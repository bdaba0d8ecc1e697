// Statements: the lines that belong together, the scopes, and the lock regions (analysis 1 of section 4.2.1).
#include <algorithm>

#include "impact/clang/walker.h"
#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

bool is_control(CXCursorKind kind) {
  switch (kind) {
  case CXCursor_IfStmt:
  case CXCursor_WhileStmt:
  case CXCursor_DoStmt:
  case CXCursor_ForStmt:
  case CXCursor_SwitchStmt:
  case CXCursor_CXXForRangeStmt:
  case CXCursor_CXXTryStmt:
  case CXCursor_CXXCatchStmt:
  case CXCursor_CaseStmt:
  case CXCursor_DefaultStmt:
  case CXCursor_LabelStmt:
    return true;
  default:
    return false;
  }
}

bool opens_scope(CXCursorKind kind) {
  return kind == CXCursor_CompoundStmt || kind == CXCursor_IfStmt || kind == CXCursor_WhileStmt ||
         kind == CXCursor_ForStmt || kind == CXCursor_SwitchStmt || kind == CXCursor_CXXForRangeStmt;
}

// Whether its type is only known where the template is instantiated.
bool depends_on_template(CXCursor field) {
  const CXType type = clang_getCanonicalType(clang_getCursorType(field));
  const CXType pointee = clang_getPointeeType(type);
  return (pointee.kind == CXType_Invalid ? type : pointee).kind == CXType_Unexposed;
}

} // namespace

void Walker::statement(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const Extent extent = extent_of(cursor);
  if (kind == CXCursor_IfStmt)
    m_branches.push_back({extent, m_scopes.empty() ? extent.end_line : m_scopes.back().end_line});
  if (opens_scope(kind)) m_scopes.push_back(extent);
  if (kind == CXCursor_CompoundStmt) {
    for (const CXCursor child : children_of(cursor)) statement(child);
  } else if (kind == CXCursor_CXXForRangeStmt) {
    range_for(cursor);
  } else if (is_control(kind)) {
    control_statement(cursor);
  } else {
    const std::size_t first_hole = m_holes.size();
    if (clang_isExpression(kind) != 0) {
      expression(cursor);
    } else if (kind == CXCursor_VarDecl) {
      variable(cursor);
    } else if (clang_isDeclaration(kind) != 0) {
      declaration(cursor);
    } else {
      for (const CXCursor child : children_of(cursor)) statement(child);
    }
    if (clang_isDeclaration(kind) == 0 || kind == CXCursor_VarDecl) {
      record_lines(m_files.path(begin_of(cursor).file), extent.begin_line, extent.end_line, first_hole);
    }
  }
  if (opens_scope(kind)) m_scopes.pop_back();
  if (kind == CXCursor_IfStmt) m_branches.pop_back();
}

// The head, from the keyword to the end of the condition, is one statement. The bodies do not belong to it.
void Walker::control_statement(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const std::vector<CXCursor> children = children_of(cursor);
  std::size_t heads = children.empty() ? 0 : children.size() - 1;
  if (kind == CXCursor_IfStmt) {
    heads = 0;
    while (heads < children.size() && clang_isExpression(clang_getCursorKind(children[heads])) == 0) ++heads;
    heads = std::min(heads + 1, children.size());
  } else if (kind == CXCursor_DoStmt || kind == CXCursor_CXXTryStmt || kind == CXCursor_CXXCatchStmt) {
    heads = 0;
  }
  const std::size_t first_hole = m_holes.size();
  const unsigned first = begin_of(cursor).line;
  unsigned last = first;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (kind == CXCursor_SwitchStmt && i + 1 == heads) {
      switch_condition(cursor, children[i], children.back());
    } else {
      statement(children[i]);
    }
    if (i < heads) last = std::max(last, end_of(children[i]).line);
    if (i + 1 == heads) record_lines(m_files.path(begin_of(cursor).file), first, last, first_hole);
  }
}

// If the condition of a switch is an atomic, g++ puts its conversion at the closing parenthesis.
void Walker::switch_condition(CXCursor cursor, CXCursor condition, CXCursor body) {
  const Position begin = begin_of(cursor);
  const Position end = begin_of(body);
  const std::string* file = m_files.path(begin.file);
  const int head =
      file == nullptr ? -1 : m_groups.add(file, {begin.line, begin.column, end.line, end.column});
  const Value value = expression(condition);
  if (value.direct) m_groups.join(head, value.node);
}

void Walker::range_for(CXCursor cursor) {
  const std::vector<CXCursor> children = children_of(cursor);
  if (children.empty()) return;
  const Position begin = begin_of(cursor);
  const Position body = begin_of(children.back());
  const std::string* file = m_files.path(begin.file);
  const int head =
      file == nullptr ? -1 : m_groups.add(file, {begin.line, begin.column, body.line, body.column});
  std::set<Field> range;
  const CXCursor* loop_variable = nullptr;
  for (std::size_t i = 0; i + 1 < children.size(); ++i) {
    if (clang_getCursorKind(children[i]) == CXCursor_VarDecl) {
      loop_variable = &children[i];
    } else if (clang_isExpression(clang_getCursorKind(children[i])) != 0) {
      const Value value = expression(children[i]);
      m_groups.join(head, value.node);
      range.insert(value.fields.begin(), value.fields.end());
    }
  }
  m_groups.add_fields(head, range);
  if (loop_variable != nullptr) {
    const CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(*loop_variable)).kind;
    const Position place = position_of(clang_getCursorLocation(*loop_variable));
    if (kind == CXType_LValueReference && !range.empty()) m_aliases[{place.file, place.offset}] = range;
  }
  statement(children.back());
}

void Walker::record_lines(const std::string* file, unsigned first, unsigned last, std::size_t first_hole) {
  if (file == nullptr || last <= first) return;
  StatementLines lines;
  for (unsigned line = first; line <= last; ++line) {
    const bool hidden =
        std::any_of(m_holes.begin() + static_cast<std::ptrdiff_t>(first_hole), m_holes.end(),
                    [&](const Extent& hole) { return hole.begin_line < line && line < hole.end_line; });
    if (!hidden) lines.insert(line);
  }
  if (lines.size() > 1) m_program[*file].statements.insert(std::move(lines));
}

void Walker::lock_variable(CXCursor cursor) {
  const std::string* file = m_files.path(begin_of(cursor).file);
  std::string lock = initializer(cursor);
  if (file == nullptr || m_scopes.empty()) return;
  if (lock.find("defer_lock") != std::string::npos) {
    m_deferred.insert(spelling(cursor));
    return;
  }
  m_lock_events.push_back({spelling(cursor),
                           std::move(lock),
                           file,
                           LockCall::lock,
                           begin_of(cursor).line,
                           m_scopes.back().end_line,
                           true,
                           {}});
  use_of_locked(cursor, *file, begin_of(cursor).line);
}

void Walker::lock_call(CXCursor cursor, const std::string& name, const std::string& object) {
  const LockCall kind = lock_call_of(name);
  const std::string* file = m_files.path(begin_of(cursor).file);
  if (kind == LockCall::none || file == nullptr || m_scopes.empty() || object.empty()) return;
  m_lock_events.push_back(
      {object, object, file, kind, begin_of(cursor).line, m_scopes.back().end_line, false, m_branches});
  if (kind == LockCall::lock) use_of_locked(cursor, *file, begin_of(cursor).line);
}

// What one thread does for all is a region as well: others wait for it.
void Walker::once_call(CXCursor cursor) {
  const std::vector<CXCursor> children = children_of(cursor);
  const Extent extent = extent_of(cursor);
  const std::string* file = m_files.path(begin_of(cursor).file);
  if (file == nullptr || children.size() < 2) return;
  m_program[*file].regions.insert({extent.begin_line, extent.end_line, text(children[1]), extent.begin_line});
  use_of_locked(children[1], *file, extent.begin_line);
}

// A lock uses the declaration of what it locks: with another mutex, or one of another kind, it protects from
// others than before. Each class and file declares its variables as shapes (shapes.cpp); those of a function
// are declared here.
void Walker::use_of_locked(CXCursor cursor, const std::string& file, unsigned line) {
  for (const CXCursor child : children_of(cursor)) use_of_locked(child, file, line);
  const CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind != CXCursor_DeclRefExpr && kind != CXCursor_MemberRefExpr) return;
  const CXCursor declared = clang_getCursorReferenced(cursor);
  if (!declares_variable(declared)) return;
  const std::string* declared_in = m_files.path(begin_of(declared).file);
  const std::string usr = usr_of_variable(declared);
  if (declared_in == nullptr || usr.empty()) return;
  m_program[file].uses.insert({line, usr, spelling(declared)});
  if (clang_getCursorKind(declared) == CXCursor_FieldDecl && depends_on_template(declared))
    m_program[file].uses.insert({line, usr_of_arguments(clang_getCursorSemanticParent(declared)), ""});
  if (!is_function(clang_getCursorKind(clang_getCursorSemanticParent(declared)))) return;
  Shape shape;
  shape.first = extent_of(declared).begin_line;
  shape.last = extent_of(declared).end_line;
  shape.usr = usr;
  shape.name = spelling(declared);
  for (const std::string& code : code_of_lines(text(declared))) shape.text += code + ' ';
  m_program[*declared_in].shapes.insert(std::move(shape));
}

// A lock that is taken under a condition and not released there is held behind it: then the condition is of
// the region, which goes on for as long as one that is taken where the condition is.
void Walker::widen_conditional(std::size_t taken) {
  LockEvent& lock = m_lock_events[taken];
  lock.first = lock.line;
  while (!lock.branches.empty()) {
    const Branch branch = lock.branches.back();
    const bool released = std::any_of(m_lock_events.begin() + static_cast<std::ptrdiff_t>(taken) + 1,
                                      m_lock_events.end(), [&](const LockEvent& next) {
                                        return next.kind == LockCall::unlock && next.object == lock.object &&
                                               next.file == lock.file && next.line <= branch.extent.end_line;
                                      });
    if (released) return;
    lock.first = branch.extent.begin_line;
    lock.scope_end = std::max(lock.scope_end, branch.behind);
    lock.branches.pop_back();
  }
}

// A region begins at a guard, or at a call that locks. It ends at the last call that unlocks the same object
// before it is locked again (early returns have several unlocks). Without such a call, it ends at the end of
// the block; for a guard also if that call is in an inner block, because the guard still holds behind it.
void Walker::finish_lock_pairs() {
  std::set<std::string> held = std::move(m_deferred); // the objects that the function has locked so far
  const std::set<std::string> deferred = held;
  m_deferred.clear();
  for (std::size_t i = 0; i < m_lock_events.size(); ++i) {
    widen_conditional(i);
    const LockEvent& lock = m_lock_events[i];
    if (lock.kind != LockCall::lock) {
      if (!held.contains(lock.object))
        m_program[*lock.file].half_regions.insert({lock.line, false, lock.lock});
      continue;
    }
    held.insert(lock.object);
    unsigned last = lock.scope_end;
    bool released = lock.guard || deferred.contains(lock.object);
    for (std::size_t j = i + 1; j < m_lock_events.size(); ++j) {
      const LockEvent& next = m_lock_events[j];
      if (next.object != lock.object || next.file != lock.file) continue;
      if (next.kind == LockCall::lock || (lock.guard && next.line > lock.scope_end)) break;
      last = lock.guard && next.scope_end != lock.scope_end ? lock.scope_end : next.line;
      released = true;
    }
    m_program[*lock.file].regions.insert({lock.first, last, lock.lock, lock.line});
    if (!released) m_program[*lock.file].half_regions.insert({lock.line, true, lock.lock});
  }
  m_lock_events.clear();
}

} // namespace reex::impact
