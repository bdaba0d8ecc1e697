#include "impact/clang/flows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "impact/clang/clang_names.h"
#include "impact/clang/lock_names.h"

namespace reex::impact {
namespace {

// The library's functions that wait for other threads, or let them go on: what comes behind such a call is
// ordered by it.
constexpr std::array<std::string_view, 28> k_orders = {"wait",         "wait_for",
                                                       "wait_until",   "acquire",
                                                       "try_acquire",  "try_acquire_for",
                                                       "release",      "arrive_and_wait",
                                                       "arrive",       "arrive_and_drop",
                                                       "count_down",   "try_wait",
                                                       "notify_one",   "notify_all",
                                                       "set_value",    "set_exception",
                                                       "join",         "get",
                                                       "sem_wait",     "sem_trywait",
                                                       "sem_post",     "pthread_cond_wait",
                                                       "pthread_join", "pthread_barrier_wait",
                                                       "pthread_once", "call_once",
                                                       "cnd_wait",     "thrd_join"};

bool is_local(CXCursor declared) {
  if (clang_getCursorKind(declared) == CXCursor_ParmDecl) return true;
  if (clang_getCursorKind(declared) != CXCursor_VarDecl) return false;
  const CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(declared));
  return !is_class(parent) && clang_isTranslationUnit(parent) == 0 && parent != CXCursor_Namespace &&
         parent != CXCursor_LinkageSpec;
}

bool is_loop(CXCursorKind kind) {
  return kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt || kind == CXCursor_ForStmt ||
         kind == CXCursor_CXXForRangeStmt;
}

class Collector {
public:
  Collector(UserFiles& files, Program& program) : m_files(files), m_program(program) {}

  void visit(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const bool opens =
        kind == CXCursor_LambdaExpr || (is_function(kind) && clang_isCursorDefinition(cursor) != 0);
    if (opens) {
      const std::string* file = m_files.path(begin_of(cursor).file);
      if (file == nullptr) return;
      m_functions.push_back(extent_of(cursor));
      if (m_functions.size() == 1) m_file = file;
    } else if (!m_functions.empty()) {
      in_function(cursor, kind);
    }
    if (is_loop(kind)) m_loops.push_back({end_of(cursor).line, is_endless(cursor)});
    for (const CXCursor child : children_of(cursor)) visit(child);
    if (is_loop(kind)) m_loops.pop_back();
    if (!opens) return;
    m_functions.pop_back();
    if (m_functions.empty()) leave();
  }

private:
  using Variable = std::pair<CXFile, unsigned>; // the place of its declaration

  void in_function(CXCursor cursor, CXCursorKind kind) {
    if (m_files.path(begin_of(cursor).file) != m_file) return;
    switch (kind) {
    case CXCursor_VarDecl:
      return set(cursor, extent_of(cursor));
    case CXCursor_DeclRefExpr:
      return use(cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
      return assignment(cursor, kind == CXCursor_CompoundAssignOperator);
    case CXCursor_UnaryOperator:
      return unary(cursor);
    case CXCursor_CallExpr:
      return call(cursor);
    case CXCursor_ReturnStmt:
      if (!children_of(cursor).empty())
        for (unsigned line = begin_of(cursor).line; line <= end_of(cursor).line; ++line)
          facts().results.insert(line);
      return;
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
      return decision(cursor, kind);
    default:
      return;
    }
  }

  FileFacts& facts() { return m_program[*m_file]; }

  static Variable key_of(CXCursor declared) {
    const Position place = position_of(clang_getCursorLocation(declared));
    return {place.file, place.offset};
  }

  void set(CXCursor declared, const Extent& extent) {
    if (!is_local(declared)) return;
    std::set<unsigned>& lines = m_values[key_of(declared)].set_on;
    for (unsigned line = extent.begin_line; line <= extent.end_line; ++line) lines.insert(line);
  }

  void use(CXCursor cursor) {
    const CXCursor declared = clang_getCursorReferenced(cursor);
    if (!clang_Cursor_isNull(declared) && is_local(declared))
      m_values[key_of(declared)].used_on.insert(begin_of(cursor).line);
  }

  // The variable that an assignment to the expression changes, or a part of it; a null cursor without one.
  static CXCursor base_of(CXCursor expression) {
    for (;;) {
      if (clang_getCursorKind(expression) == CXCursor_DeclRefExpr)
        return clang_getCursorReferenced(expression);
      const std::vector<CXCursor> children = children_of(expression);
      if (clang_isExpression(clang_getCursorKind(expression)) == 0 || children.empty())
        return clang_getNullCursor();
      expression = children.front();
    }
  }

  void change(CXCursor expression, const Extent& by) {
    const CXCursor declared = base_of(expression);
    if (!clang_Cursor_isNull(declared)) set(declared, by);
  }

  void assignment(CXCursor cursor, bool compound) {
    const std::vector<CXCursor> operands = children_of(cursor);
    if (operands.size() != 2) return;
    if (!compound) {
      const Position left = end_of(operands[0]);
      const std::string_view between = m_files.text(left.file, left.offset, begin_of(operands[1]).offset);
      const std::size_t sign = between.find('=');
      if (sign == std::string_view::npos || between.find("==") != std::string_view::npos ||
          (sign > 0 && std::string_view("<>!").find(between[sign - 1]) != std::string_view::npos))
        return;
    }
    change(operands[0], extent_of(cursor));
  }

  // `&variable` may be written through, too.
  void unary(CXCursor cursor) {
    const Position begin = begin_of(cursor);
    const std::string_view text = m_files.text(begin.file, begin.offset, end_of(cursor).offset);
    const std::vector<CXCursor> operands = children_of(cursor);
    if (operands.empty()) return;
    if (text.starts_with('&') || text.starts_with("++") || text.starts_with("--") || text.ends_with("++") ||
        text.ends_with("--"))
      change(operands[0], extent_of(cursor));
  }

  void call(CXCursor cursor) {
    const CXCursor callee = clang_getCursorReferenced(cursor);
    const bool known = is_function(clang_getCursorKind(callee));
    const std::string name = known ? spelling(callee) : spelling(cursor);
    const Extent extent = extent_of(cursor);
    if (std::find(k_orders.begin(), k_orders.end(), name) != k_orders.end() &&
        (!known || m_files.path(position_of(clang_getCursorLocation(callee)).file) == nullptr))
      for (unsigned line = extent.begin_line; line <= extent.end_line; ++line) facts().orders.insert(line);
    if (!known) return;
    const std::vector<CXCursor> children = children_of(cursor);
    if (name.starts_with("operator") && name.ends_with('=') && name != "operator==" && name != "operator!=" &&
        name != "operator<=" && name != "operator>=" && !children.empty())
      change(children.front(), extent);
    const CXType type = clang_getCursorType(callee);
    for (int i = 0; i < clang_Cursor_getNumArguments(cursor); ++i) {
      const CXType parameter = clang_getCanonicalType(clang_getArgType(type, static_cast<unsigned>(i)));
      if (parameter.kind == CXType_LValueReference &&
          clang_isConstQualifiedType(clang_getPointeeType(parameter)) == 0)
        change(clang_Cursor_getArgument(cursor, static_cast<unsigned>(i)), extent);
    }
  }

  void decision(CXCursor cursor, CXCursorKind kind) {
    const std::vector<CXCursor> children = children_of(cursor);
    if (children.empty()) return;
    // The head: what is evaluated to find whether a body runs. An `if` may have one or two bodies.
    std::size_t heads = children.size() - 1;
    if (kind == CXCursor_IfStmt) {
      heads = 0;
      while (heads < children.size() && clang_isExpression(clang_getCursorKind(children[heads])) == 0)
        ++heads;
      heads = std::min(heads + 1, children.size());
    }
    const Extent extent = extent_of(cursor);
    Decision fact;
    fact.from = extent.begin_line;
    fact.to = extent.begin_line;
    if (kind == CXCursor_DoStmt) {
      fact.from = begin_of(children.back()).line;
      fact.to = end_of(children.back()).line;
    } else {
      for (std::size_t i = 0; i < heads; ++i) fact.to = std::max(fact.to, end_of(children[i]).line);
    }
    fact.loop = is_loop(kind);
    fact.first = extent.begin_line;
    fact.last = std::max({extent.end_line, jump_of(cursor, kind), waits_behind(cursor, kind, children)});
    facts().decisions.insert(fact);
  }

  bool is_endless(CXCursor loop) const {
    const Position begin = begin_of(loop);
    std::string head;
    for (const char c : m_files.text(begin.file, begin.offset, end_of(loop).offset)) {
      if (c == '{' || head.size() > 11) break;
      if (std::isspace(static_cast<unsigned char>(c)) == 0) head += c;
    }
    return head.starts_with("for(;;)") || head.starts_with("while(true)") || head.starts_with("while(1)");
  }

  // The last line that a jump out of the statement decides about; 0 without one. A macro's jumps are
  // assertions: where they jump, the test has failed.
  unsigned jump_of(CXCursor cursor, CXCursorKind kind) {
    const Position begin = begin_of(cursor);
    if (kind == CXCursor_IfStmt && m_files.text(begin.file, begin.offset, begin.offset + 2) != "if") return 0;
    unsigned last = 0;
    for (const CXCursor child : children_of(cursor)) find_jumps(child, is_loop(kind), last);
    return last;
  }

  void find_jumps(CXCursor cursor, bool in_loop, unsigned& last) {
    switch (const CXCursorKind kind = clang_getCursorKind(cursor)) {
    case CXCursor_LambdaExpr:
      return;
    case CXCursor_ReturnStmt:
    case CXCursor_CXXThrowExpr:
    case CXCursor_GotoStmt:
      last = std::max(last, m_functions.back().end_line);
      return;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
      if (in_loop || m_loops.empty()) return;
      // The code behind an endless loop waits for what ends it.
      last = std::max(last, m_loops.back().endless && kind == CXCursor_BreakStmt ? m_functions.back().end_line
                                                                                 : m_loops.back().end_line);
      return;
    case CXCursor_SwitchStmt:
      for (const CXCursor child : children_of(cursor)) find_jumps(child, true, last);
      return;
    default:
      for (const CXCursor child : children_of(cursor)) find_jumps(child, in_loop || is_loop(kind), last);
    }
  }

  // A loop that looks at what other threads may change waits for them: then it decides about what is behind.
  unsigned waits_behind(CXCursor cursor, CXCursorKind kind, const std::vector<CXCursor>& children) {
    if (kind != CXCursor_WhileStmt && kind != CXCursor_DoStmt) return 0;
    const CXCursor condition = kind == CXCursor_DoStmt ? children.back() : children.front();
    return looks_at_others(condition) ? std::max(m_functions.back().end_line, extent_of(cursor).end_line) : 0;
  }

  static bool looks_at_others(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CallExpr || kind == CXCursor_MemberRefExpr) return true;
    if (kind == CXCursor_DeclRefExpr) {
      const CXCursor declared = clang_getCursorReferenced(cursor);
      if (clang_Cursor_isNull(declared) || !is_local(declared)) return true;
    }
    const std::vector<CXCursor> children = children_of(cursor);
    return std::any_of(children.begin(), children.end(), looks_at_others);
  }

  void leave() {
    for (auto& [variable, value] : m_values)
      if (!value.set_on.empty() && !value.used_on.empty()) facts().values.insert(std::move(value));
    m_values.clear();
    m_file = nullptr;
  }

  UserFiles& m_files;
  Program& m_program;
  const std::string* m_file = nullptr; // of the outermost function
  std::vector<Extent> m_functions;     // that contain the current node, with lambdas
  struct Loop {
    unsigned end_line = 0;
    bool endless = false; // but for jumps
  };
  std::vector<Loop> m_loops; // that contain the current node
  std::map<Variable, LocalValue> m_values;
};

} // namespace

void collect_flows(CXCursor declaration, UserFiles& files, Program& program) {
  if (files.path(begin_of(declaration).file) != nullptr) Collector(files, program).visit(declaration);
}

} // namespace reex::impact
