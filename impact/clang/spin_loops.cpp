#include "impact/clang/spin_loops.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "impact/clang/clang_names.h"

namespace reex::impact {
namespace {

// What a loop does that only waits.
constexpr std::array<std::string_view, 12> k_pauses = {
    "yield", "sleep_for", "sleep_until", "sched_yield", "pthread_yield",        "usleep",
    "sleep", "nanosleep", "pause",       "_mm_pause",   "__builtin_ia32_pause", "cpu_relax"};

std::string called(CXCursor call) {
  const CXCursor callee = clang_getCursorReferenced(call);
  return spelling(clang_Cursor_isNull(callee) != 0 ? call : callee);
}

bool is_pause(CXCursor statement) {
  const CXCursorKind kind = clang_getCursorKind(statement);
  if (kind == CXCursor_CallExpr) {
    const std::string name = called(statement);
    return std::find(k_pauses.begin(), k_pauses.end(), name) != k_pauses.end();
  }
  const bool holds_others = kind == CXCursor_CompoundStmt || kind == CXCursor_NullStmt ||
                            kind == CXCursor_UnexposedExpr || kind == CXCursor_AsmStmt ||
                            kind == CXCursor_GCCAsmStmt;
  if (!holds_others) return false;
  const std::vector<CXCursor> parts = children_of(statement);
  return kind == CXCursor_GCCAsmStmt || kind == CXCursor_NullStmt ||
         ((kind != CXCursor_UnexposedExpr || !parts.empty()) &&
          std::all_of(parts.begin(), parts.end(), is_pause));
}

bool names_a_local(CXCursor expression) {
  if (clang_getCursorKind(expression) == CXCursor_DeclRefExpr) {
    const CXCursor declared = clang_getCursorReferenced(expression);
    const CXCursorKind kind = clang_getCursorKind(declared);
    return kind == CXCursor_ParmDecl ||
           (kind == CXCursor_VarDecl &&
            is_function(clang_getCursorKind(clang_getCursorSemanticParent(declared))));
  }
  const std::vector<CXCursor> parts = children_of(expression);
  return std::any_of(parts.begin(), parts.end(), names_a_local);
}

// A compare-exchange that publishes what the thread has made: its loop goes on because others were faster.
bool publishes(CXCursor call) {
  if (!called(call).starts_with("compare_exchange")) return false;
  return clang_Cursor_getNumArguments(call) < 2 || names_a_local(clang_Cursor_getArgument(call, 1));
}

// What others may change: what a call says, and what is no local variable.
bool looks_at_others(CXCursor expression) {
  const CXCursorKind kind = clang_getCursorKind(expression);
  if (kind == CXCursor_CallExpr) return !publishes(expression);
  if (kind == CXCursor_MemberRefExpr) return true;
  if (kind == CXCursor_DeclRefExpr && !names_a_local(expression)) return true;
  const std::vector<CXCursor> parts = children_of(expression);
  return std::any_of(parts.begin(), parts.end(), looks_at_others);
}

} // namespace

bool takes_atomic(CXCursor expression) {
  if (clang_getCursorKind(expression) == CXCursor_CallExpr) {
    const std::string name = called(expression);
    if (name == "test_and_set" || name == "atomic_flag_test_and_set") return true;
    if (name.starts_with("compare_exchange")) return !publishes(expression);
    if (name == "exchange")
      return clang_Cursor_getNumArguments(expression) == 0 ||
             !names_a_local(clang_Cursor_getArgument(expression, 0));
  }
  const std::vector<CXCursor> parts = children_of(expression);
  return std::any_of(parts.begin(), parts.end(), takes_atomic);
}

bool is_spin_loop(CXCursor loop, const std::vector<CXCursor>& children) {
  const CXCursorKind kind = clang_getCursorKind(loop);
  if ((kind != CXCursor_WhileStmt && kind != CXCursor_DoStmt) || children.size() < 2) return false;
  const CXCursor condition = kind == CXCursor_DoStmt ? children.back() : children[children.size() - 2];
  const CXCursor body = kind == CXCursor_DoStmt ? children.front() : children.back();
  return takes_atomic(condition) || (is_pause(body) && looks_at_others(condition));
}

} // namespace reex::impact
