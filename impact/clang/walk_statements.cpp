// Statements: the lines that belong together, the scopes, and the lock regions (analysis 1 of section 4.2.1).
#include <algorithm>

#include "impact/clang/guarded_locks.h"
#include "impact/clang/loops.h"
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

std::optional<FlowStep::Kind> end_of_frame(CXCursorKind kind) {
  switch (kind) {
  case CXCursor_IfStmt:
    return FlowStep::Kind::join;
  case CXCursor_SwitchStmt:
    return FlowStep::Kind::choice_end;
  case CXCursor_CXXTryStmt:
    return FlowStep::Kind::attempt_end;
  default:
    return is_loop(kind) ? std::optional(FlowStep::Kind::loop_end) : std::nullopt;
  }
}

} // namespace

void Walker::statement(CXCursor cursor) {
  const CXCursorKind kind = clang_getCursorKind(cursor);
  const Extent extent = extent_of(cursor);
  if (kind == CXCursor_IfStmt) m_branches.push_back(extent);
  if (opens_scope(kind)) {
    m_scopes.push_back(extent);
    flow(FlowStep::Kind::open, begin_of(cursor));
  }
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
      lives_in(cursor, extent, true);
    } else if (kind == CXCursor_VarDecl) {
      variable(cursor);
    } else if (kind == CXCursor_UnexposedDecl) {
      structured_binding(cursor);
    } else if (clang_isDeclaration(kind) != 0) {
      declaration(cursor);
    } else if (kind == CXCursor_ReturnStmt) {
      for (const CXCursor child : children_of(cursor)) {
        expression(child);
        lives_in(child, extent, false);
        give_on(child);
      }
    } else {
      for (const CXCursor child : children_of(cursor)) statement(child);
    }
    if (clang_isDeclaration(kind) == 0 || kind == CXCursor_VarDecl) {
      record_lines(m_files.path(begin_of(cursor).file), extent.begin_line, extent.end_line, first_hole);
    }
  }
  jump(cursor);
  if (opens_scope(kind)) {
    release_adopted(end_of(cursor));
    m_scopes.pop_back();
    flow(FlowStep::Kind::close, end_of(cursor));
  }
  if (kind == CXCursor_IfStmt) m_branches.pop_back();
}

void Walker::flow(FlowStep::Kind kind, Position at, bool always, bool once) {
  m_flow.push_back(
      {.kind = kind, .line = at.line, .file = m_files.path(at.file), .always = always, .once = once});
}

void Walker::jump(CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_UnexposedExpr: // around a `throw` of what is destroyed behind it
    if (const std::vector<CXCursor> parts = children_of(cursor); parts.size() == 1) jump(parts.front());
    return;
  case CXCursor_ReturnStmt:
    return flow(FlowStep::Kind::leaves, end_of(cursor));
  case CXCursor_BreakStmt:
    return flow(FlowStep::Kind::breaks, end_of(cursor));
  case CXCursor_ContinueStmt:
    return flow(FlowStep::Kind::continues, end_of(cursor));
  case CXCursor_GotoStmt:
  case CXCursor_IndirectGotoStmt:
    return flow(FlowStep::Kind::gone, end_of(cursor));
  case CXCursor_CXXThrowExpr:
    return flow(FlowStep::Kind::ends, end_of(cursor));
  default:
    return;
  }
}

// The steps before the children of a control statement. `heads` of them come before its bodies.
void Walker::flow_into(CXCursor cursor, const std::vector<CXCursor>& children, std::size_t heads,
                       std::size_t child) {
  const Position at = begin_of(children[child]);
  switch (const CXCursorKind kind = clang_getCursorKind(cursor)) {
  case CXCursor_IfStmt:
    if (child == heads) flow(FlowStep::Kind::branch, at);
    if (child == heads + 1) flow(FlowStep::Kind::otherwise, at);
    return;
  case CXCursor_WhileStmt:
  case CXCursor_ForStmt:
  case CXCursor_CXXForRangeStmt:
  case CXCursor_DoStmt:
    if (child == 0)
      flow(FlowStep::Kind::loop, begin_of(cursor), is_endless(cursor, m_files), kind == CXCursor_DoStmt);
    return;
  case CXCursor_SwitchStmt:
    if (child == heads) flow(FlowStep::Kind::choice, at);
    return;
  case CXCursor_CaseStmt:
  case CXCursor_DefaultStmt:
    if (child == 0) flow(FlowStep::Kind::label, begin_of(cursor), kind == CXCursor_DefaultStmt);
    return;
  case CXCursor_LabelStmt:
    return flow(FlowStep::Kind::target, begin_of(cursor));
  case CXCursor_CXXTryStmt:
    return flow(child == 0 ? FlowStep::Kind::attempt : FlowStep::Kind::handler, at);
  default:
    return;
  }
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
    flow_into(cursor, children, heads, i);
    if (kind == CXCursor_SwitchStmt && i + 1 == heads) {
      switch_condition(cursor, children[i], children.back());
    } else {
      statement(children[i]);
    }
    if (i < heads) last = std::max(last, end_of(children[i]).line);
    if (i + 1 == heads) record_lines(m_files.path(begin_of(cursor).file), first, last, first_hole);
  }
  if (children.size() <= heads && (kind == CXCursor_IfStmt || kind == CXCursor_SwitchStmt)) return;
  if (const std::optional<FlowStep::Kind> end = end_of_frame(kind); end && !children.empty())
    flow(*end, end_of(cursor));
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
  const std::size_t first_hole = m_holes.size();
  unsigned last = begin.line;
  for (std::size_t i = 0; i + 1 < children.size(); ++i) {
    const CXCursorKind part = clang_getCursorKind(children[i]);
    if (part == CXCursor_VarDecl || part == CXCursor_UnexposedDecl) {
      if (loop_variable != nullptr) variable(*loop_variable); // of an initializer
      loop_variable = &children[i];
    } else if (clang_isExpression(part) != 0) {
      const Value value = expression(children[i]);
      record_iteration(children[i]);
      last = std::max(last, end_of(children[i]).line);
      m_groups.join(head, value.node);
      range.insert(value.fields.begin(), value.fields.end());
    }
  }
  m_groups.add_fields(head, range);
  if (loop_variable != nullptr) {
    const CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(*loop_variable)).kind;
    const Position place = position_of(clang_getCursorLocation(*loop_variable));
    if (clang_getCursorKind(*loop_variable) == CXCursor_UnexposedDecl) {
      if (kind == CXType_LValueReference) bind_names(*loop_variable, range);
    } else if (kind == CXType_LValueReference && !range.empty()) {
      m_aliases[{place.file, place.offset}] = range;
    }
  }
  record_lines(file, begin.line, last, first_hole);
  flow_into(cursor, children, 0, 0);
  statement(children.back());
  flow(FlowStep::Kind::loop_end, end_of(cursor));
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
  for (GuardedCall& call : guarded_calls(clang_getCursorType(cursor), begin_of(cursor).line, m_files))
    m_program[*file].guarded.insert(std::move(call));
  const std::string type =
      text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))));
  const bool empty =
      lock.empty() && (type.starts_with("std::unique_lock<") || type.starts_with("std::shared_lock<") ||
                       m_guards.may_hold_guard(clang_getCursorType(cursor)));
  const bool deferred = empty || lock.find("defer_lock") != std::string::npos ||
                        m_guards.locks_later(clang_getCursorType(cursor));
  const std::string name = spelling(cursor);
  const unsigned line = begin_of(cursor).line;
  m_flow.push_back({deferred ? FlowStep::Kind::guard : FlowStep::Kind::holder, line, file, name});
  if (deferred) {
    m_deferred.insert(name);
    return;
  }
  adopt(lock);
  m_lock_events.push_back({name, std::move(lock), file, LockCall::lock, line, true, {}, m_flow.size() - 1});
  use_of_locked(cursor, *file, begin_of(cursor).line);
}

// A guard that holds no lock at first gets one: `std::unique_lock<std::mutex> lock; lock = ...`.
LockCall Walker::late_lock_of(const std::string& name, const std::string& object) const {
  if (!m_deferred.contains(object)) return LockCall::none;
  if (name == "emplace" || name == "operator=") return LockCall::lock;
  return name == "reset" ? LockCall::unlock : LockCall::none;
}

void Walker::lock_call(CXCursor cursor, LockCall kind, const std::string& object) {
  const std::string* file = m_files.path(begin_of(cursor).file);
  if (kind == LockCall::none || file == nullptr || m_scopes.empty() || object.empty()) return;
  const unsigned line = begin_of(cursor).line;
  m_lock_events.push_back({object, object, file, kind, line, false, m_branches, m_flow.size()});
  m_flow.push_back(
      {kind == LockCall::lock ? FlowStep::Kind::lock : FlowStep::Kind::unlock, line, file, object});
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
// the region.
unsigned Walker::first_of_conditional(std::size_t taken) const {
  const LockEvent& lock = m_lock_events[taken];
  unsigned first = lock.line;
  for (auto branch = lock.branches.rbegin(); branch != lock.branches.rend(); ++branch) {
    const bool released = std::any_of(m_lock_events.begin() + static_cast<std::ptrdiff_t>(taken) + 1,
                                      m_lock_events.end(), [&](const LockEvent& next) {
                                        return next.kind == LockCall::unlock && next.object == lock.object &&
                                               next.file == lock.file && next.line <= branch->end_line;
                                      });
    if (released) break;
    first = branch->begin_line;
  }
  return first;
}

// What a guard releases that others have locked: `lock_guard guard(m, std::adopt_lock);`.
void Walker::adopt(const std::string& given) {
  if (given.find("adopt_lock") == std::string::npos) return;
  for (std::size_t begin = 0; begin < given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    const std::size_t first = std::min(given.find_first_not_of(" \t\n", begin), end);
    const std::string object = given.substr(first, end - first);
    m_adopting.emplace_back(m_scopes.size(), object);
    m_adopted.insert(object);
    begin = end + 1;
  }
}

void Walker::release_adopted(Position end) {
  for (; !m_adopting.empty() && m_adopting.back().first == m_scopes.size(); m_adopting.pop_back())
    m_flow.push_back({.kind = FlowStep::Kind::unlock,
                      .line = end.line,
                      .file = m_files.path(end.file),
                      .object = m_adopting.back().second});
}

// A region begins at a guard, or at a call that locks. On each path, it ends where the object is unlocked, or
// at the end of the guard's scope.
void Walker::finish_lock_pairs() {
  std::set<std::string> held = std::move(m_deferred); // the objects that the function has locked so far
  std::set<std::string> guards = held;
  guards.merge(std::move(m_adopted));
  m_deferred.clear();
  m_adopted.clear();
  for (std::size_t i = 0; i < m_lock_events.size(); ++i) {
    const LockEvent& lock = m_lock_events[i];
    if (lock.kind != LockCall::lock) {
      if (!held.contains(lock.object))
        m_program[*lock.file].half_regions.insert({lock.line, false, lock.lock});
      continue;
    }
    held.insert(lock.object);
    if (lock.guard) guards.insert(lock.object);
    const HeldLines lines = held_lines(m_flow, lock.step);
    Region region{first_of_conditional(i), lock.line, lock.lock, lock.line};
    for (const auto& [first, last] : lines.ranges) {
      if (first > region.last + 1) region.gaps.push_back({region.last + 1, first - 1});
      region.last = std::max(region.last, last);
    }
    m_program[*lock.file].regions.insert(std::move(region));
    if (lines.at_end && !guards.contains(lock.object))
      m_program[*lock.file].half_regions.insert({lock.line, true, lock.lock});
  }
  m_lock_events.clear();
  m_flow.clear();
}

} // namespace reex::impact
