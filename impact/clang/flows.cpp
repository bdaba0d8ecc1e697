#include "impact/clang/flows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "impact/clang/clang_names.h"
#include "impact/clang/field_targets.h"
#include "impact/clang/lock_names.h"
#include "impact/clang/loops.h"
#include "impact/clang/spin_loops.h"

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
  const CXCursorKind kind = clang_getCursorKind(declared);
  if (kind == CXCursor_ParmDecl) return true;
  if (kind != CXCursor_VarDecl && kind != CXCursor_UnexposedDecl) return false; // of a structured binding
  const CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(declared));
  return !is_class(parent) && clang_isTranslationUnit(parent) == 0 && parent != CXCursor_Namespace &&
         parent != CXCursor_LinkageSpec;
}

class Collector {
public:
  Collector(UserFiles& files, Program& program) : m_files(files), m_program(program) {}

  void visit(CXCursor cursor) {
    const CXCursorKind kind = clang_getCursorKind(cursor);
    const std::vector<CXCursor> children = children_of(cursor);
    const bool opens =
        kind == CXCursor_LambdaExpr || (is_function(kind) && clang_isCursorDefinition(cursor) != 0);
    if (opens) {
      const std::string* file = m_files.path(begin_of(cursor).file);
      if (file == nullptr) return;
      m_functions.push_back(extent_of(cursor));
      if (m_functions.size() == 1) m_file = file;
      if (is_function(kind)) initializers(cursor);
    } else if (!m_functions.empty()) {
      in_function(cursor, kind, children);
    } else if (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) {
      first_value(cursor, kind, children);
    }
    if (is_loop(kind)) m_loops.push_back({end_of(cursor).line, is_endless(cursor, m_files)});
    if (is_loop(kind) || kind == CXCursor_SwitchStmt)
      m_breaks.push_back(is_loop(kind) ? m_loops.back() : Loop{end_of(cursor).line});
    for (const CXCursor child : children) visit(child);
    if (is_loop(kind) || kind == CXCursor_SwitchStmt) m_breaks.pop_back();
    if (is_loop(kind)) m_loops.pop_back();
    if (!opens) return;
    m_functions.pop_back();
    if (m_functions.empty()) leave();
  }

private:
  using Variable = std::pair<CXFile, unsigned>; // the place of its declaration

  void in_function(CXCursor cursor, CXCursorKind kind, const std::vector<CXCursor>& children) {
    if (m_files.path(begin_of(cursor).file) != m_file) return;
    switch (kind) {
    case CXCursor_VarDecl:
      refer(cursor, children);
      return set(cursor, extent_of(cursor));
    case CXCursor_UnexposedDecl: // a structured binding, with its names
      for (const CXCursor child : children)
        if (clang_getCursorKind(child) == CXCursor_UnexposedDecl) set(child, extent_of(cursor));
      return;
    case CXCursor_DeclRefExpr:
      return use(cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
      return assignment(cursor, children, kind == CXCursor_CompoundAssignOperator);
    case CXCursor_UnaryOperator:
      return unary(cursor, children);
    case CXCursor_CallExpr:
      return call(cursor, children);
    case CXCursor_InitListExpr:
      return list(cursor, children);
    case CXCursor_UnexposedExpr:
      return children.size() > 1 ? built_in(cursor, children) : void();
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
      return label(cursor);
    case CXCursor_GotoStmt:
      return jump(cursor, m_functions.back().end_line);
    case CXCursor_BreakStmt:
      if (!m_breaks.empty())
        jump(cursor, m_breaks.back().endless ? m_functions.back().end_line : m_breaks.back().end_line);
      return;
    case CXCursor_ContinueStmt:
      if (!m_loops.empty()) jump(cursor, m_loops.back().end_line);
      return;
    case CXCursor_ReturnStmt:
      jump(cursor, m_functions.back().end_line);
      if (!children_of(cursor).empty())
        for (unsigned line = begin_of(cursor).line; line <= end_of(cursor).line; ++line)
          facts().results.insert(line);
      return;
    case CXCursor_CXXThrowExpr:
      jump(cursor, m_functions.back().end_line);
      facts().throws.insert(begin_of(cursor).line);
      return;
    case CXCursor_CXXTryStmt:
      if (!children.empty())
        facts().attempts.insert({begin_of(cursor).line, end_of(children[0]).line, end_of(cursor).line});
      return;
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
      return decision(cursor, kind, children);
    default:
      return;
    }
  }

  FileFacts& facts() { return m_program[*m_file]; }

  // Of a `switch`: it decides about what is behind it there, as far as one can get from it.
  void label(CXCursor cursor) {
    if (m_breaks.empty()) return;
    const unsigned line = begin_of(cursor).line;
    facts().decisions.insert({line, line, line, m_breaks.back().end_line, end_of(cursor).line, false});
  }

  // A macro's jumps are assertions.
  void jump(CXCursor cursor, unsigned last) {
    const Position begin = begin_of(cursor);
    const std::string_view text = m_files.text(begin.file, begin.offset, end_of(cursor).offset);
    for (const std::string_view word : {"return", "break", "continue", "goto", "throw"})
      if (text.starts_with(word)) {
        unsigned& known = facts().jumps[begin.line];
        known = std::max(known, last);
      }
  }

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
    if (clang_Cursor_isNull(declared) || !is_local(declared)) return;
    m_values[key_of(declared)].used_on.insert(begin_of(cursor).line);
    if (clang_getCursorKind(declared) == CXCursor_ParmDecl) facts().given.insert(begin_of(cursor).line);
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

  // `replaces`: the old value makes no difference.
  void change(CXCursor expression, const Extent& by, bool replaces = false) {
    const CXCursor declared = base_of(expression);
    if (!clang_Cursor_isNull(declared)) {
      set(declared, by);
      if (is_of_caller(declared) && !field_target(expression, m_files))
        for (unsigned line = by.begin_line; line <= by.end_line; ++line) facts().results.insert(line);
    }
    write(expression, by, replaces);
  }

  // A parameter through which a function changes a variable of who calls it.
  static bool is_of_caller(CXCursor declared) {
    const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(declared)).kind;
    return clang_getCursorKind(declared) == CXCursor_ParmDecl &&
           (type == CXType_LValueReference || type == CXType_Pointer);
  }

  // A local reference to a field: who writes to it writes the field.
  void refer(CXCursor variable, const std::vector<CXCursor>& children) {
    const CXTypeKind type = clang_getCanonicalType(clang_getCursorType(variable)).kind;
    if (type != CXType_LValueReference || children.empty() || !is_local(variable)) return;
    if (const std::optional<FieldTarget> target = field_target(children.back(), m_files))
      m_references.emplace(key_of(variable), target->field);
  }

  void write(CXCursor expression, const Extent& by, bool replaces, bool fresh = false) {
    const std::optional<FieldTarget> target = field_target(expression, m_files);
    if (!target) {
      const CXCursor declared = m_references.empty() ? clang_getNullCursor() : base_of(expression);
      if (clang_Cursor_isNull(declared)) return;
      if (const auto field = m_references.find(key_of(declared)); field != m_references.end())
        facts().writes.insert({by.begin_line, by.end_line, 0, 0, field->second});
      return;
    }
    const Position place = position_of(clang_getCursorLocation(target->named));
    facts().writes.insert({by.begin_line, by.end_line, replaces ? place.line : 0, replaces ? place.column : 0,
                           target->field, fresh});
  }

  // Of a variable outside of functions, or a data member.
  void first_value(CXCursor declared, CXCursorKind kind, const std::vector<CXCursor>& children) {
    const Extent extent = extent_of(declared);
    const std::string* file = m_files.path(begin_of(declared).file);
    const bool has_one = std::any_of(children.begin(), children.end(), [](CXCursor child) {
      return clang_isExpression(clang_getCursorKind(child)) != 0;
    });
    if (file == nullptr || !has_one || clang_Cursor_isBitField(declared) != 0) return;
    const Position name = position_of(clang_getCursorLocation(declared));
    const std::string owner = class_of(declared);
    const bool member = kind == CXCursor_FieldDecl || !owner.empty();
    m_program[*file].writes.insert({extent.begin_line,
                                    extent.end_line,
                                    name.line,
                                    name.column,
                                    {owner, member ? spelling(declared) : qualified_name(declared)},
                                    true});
  }

  // Of a constructor: each member's name is followed by its initializer.
  void initializers(CXCursor function) {
    if (m_files.path(begin_of(function).file) != m_file) return;
    const std::vector<CXCursor> children = children_of(function);
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (clang_getCursorKind(children[i]) != CXCursor_MemberRef) continue;
      Extent extent = extent_of(children[i]);
      if (i + 1 < children.size() && clang_isExpression(clang_getCursorKind(children[i + 1])) != 0)
        extent.end_line = std::max(extent.end_line, extent_of(children[i + 1]).end_line);
      write(children[i], extent, true, true);
    }
  }

  // The members of an aggregate, in the order of their declarations or by name.
  void list(CXCursor cursor, const std::vector<CXCursor>& children) {
    const CXCursor type = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(cursor)));
    if (!is_class(clang_getCursorKind(type)) ||
        m_files.path(position_of(clang_getCursorLocation(type)).file) == nullptr)
      return;
    std::vector<CXCursor> fields = children_of(type);
    std::erase_if(fields, [](CXCursor child) { return clang_getCursorKind(child) != CXCursor_FieldDecl; });
    std::size_t next = 0;
    for (const CXCursor child : children) {
      const std::vector<CXCursor> parts = children_of(child);
      const Extent extent = extent_of(child);
      if (!parts.empty() && clang_getCursorKind(parts.front()) == CXCursor_MemberRef) {
        write(parts.front(), extent, true, true);
      } else if (next < fields.size()) {
        const CXCursor field = fields[next++];
        facts().writes.insert({extent.begin_line,
                               extent.end_line,
                               extent.begin_line,
                               0,
                               {class_of(field), spelling(field)},
                               true});
      }
    }
  }

  // The atomic operations of C are no calls.
  void built_in(CXCursor cursor, const std::vector<CXCursor>& operands) {
    const Position begin = begin_of(cursor);
    const std::string_view text = m_files.text(begin.file, begin.offset, end_of(cursor).offset);
    if (!text.starts_with("atomic_") && !text.starts_with("__atomic_") && !text.starts_with("__c11_atomic_"))
      return;
    if (text.substr(0, text.find('(')).find("load") == std::string_view::npos)
      write(operands.front(), extent_of(cursor), false);
  }

  void assignment(CXCursor cursor, const std::vector<CXCursor>& operands, bool compound) {
    if (operands.size() != 2) return;
    if (!compound) {
      const Position left = end_of(operands[0]);
      const std::string_view between = m_files.text(left.file, left.offset, begin_of(operands[1]).offset);
      const std::size_t sign = between.find('=');
      if (sign == std::string_view::npos || between.find("==") != std::string_view::npos ||
          (sign > 0 && std::string_view("<>!").find(between[sign - 1]) != std::string_view::npos))
        return;
      keep_address(operands[0], operands[1]);
    }
    change(operands[0], extent_of(cursor), !compound);
  }

  // An address that a field or an element keeps is one that others may write through later. The line that
  // puts it there does not.
  void keep_address(CXCursor to, CXCursor address) {
    const auto bare = [](CXCursor expression) {
      while (clang_getCursorKind(expression) == CXCursor_UnexposedExpr ||
             clang_getCursorKind(expression) == CXCursor_ParenExpr) {
        const std::vector<CXCursor> children = children_of(expression);
        if (children.size() != 1) break;
        expression = children.front();
      }
      return expression;
    };
    if (clang_getCursorKind(bare(to)) == CXCursor_DeclRefExpr &&
        is_local(clang_getCursorReferenced(bare(to))))
      return;
    if (address = bare(address); clang_getCursorKind(address) == CXCursor_UnaryOperator)
      m_kept.insert(begin_of(address).offset);
  }

  // `&variable` may be written through, too.
  void unary(CXCursor cursor, const std::vector<CXCursor>& operands) {
    if (operands.empty()) return;
    const Position begin = begin_of(cursor);
    const std::string_view text = m_files.text(begin.file, begin.offset, end_of(cursor).offset);
    if (text.starts_with("++") || text.starts_with("--") || text.ends_with("++") || text.ends_with("--")) {
      change(operands[0], extent_of(cursor));
    } else if (text.starts_with('&') && !m_kept.contains(begin.offset)) {
      const CXCursor declared = base_of(operands[0]);
      if (!clang_Cursor_isNull(declared)) set(declared, extent_of(cursor));
    }
  }

  void call(CXCursor cursor, const std::vector<CXCursor>& children) {
    const CXCursor callee = clang_getCursorReferenced(cursor);
    const bool known = is_function(clang_getCursorKind(callee));
    const std::string name = known ? spelling(callee) : spelling(cursor);
    const Extent extent = extent_of(cursor);
    if (std::find(k_orders.begin(), k_orders.end(), name) != k_orders.end() &&
        (!known || m_files.path(position_of(clang_getCursorLocation(callee)).file) == nullptr))
      for (unsigned line = extent.begin_line; line <= extent.end_line; ++line) {
        facts().orders.insert(line);
        if (name.find("wait") != std::string::npos || name.find("acquire") != std::string::npos)
          facts().waits[line] = m_functions.back().end_line;
      }
    if (calls_what_it_is_told(callee, name) ||
        (clang_Cursor_isNull(callee) != 0 && !children.empty() && computes_a_function(children.front())))
      facts().indirect.insert(extent.begin_line);
    if (starts_thread(cursor, callee, name))
      start(cursor, extent.begin_line, name == "async" && has_policy(cursor));
    else if (!is_algorithm(callee))
      hand_over(cursor, children, extent.begin_line);
    const bool users = known && m_files.path(position_of(clang_getCursorLocation(callee)).file) != nullptr;
    if (!children.empty() && !users && changes_its_object(name)) write(children.front(), extent, false);
    if (!known) return;
    if (!users && name.ends_with("_init") &&
        clang_Cursor_getNumArguments(cursor) > 0) // sem_init(&units, 0, 1)
      write(clang_Cursor_getArgument(cursor, 0), extent, false);
    if (name.starts_with("operator") && name.ends_with('=') && name != "operator==" && name != "operator!=" &&
        name != "operator<=" && name != "operator>=" && !children.empty())
      change(children.front(), extent, name == "operator=");
    const CXType type = clang_getCursorType(callee);
    for (int i = 0; i < clang_Cursor_getNumArguments(cursor); ++i) {
      const CXType parameter = clang_getCanonicalType(clang_getArgType(type, static_cast<unsigned>(i)));
      if (parameter.kind != CXType_LValueReference ||
          clang_isConstQualifiedType(clang_getPointeeType(parameter)) != 0)
        continue;
      const CXCursor argument = clang_Cursor_getArgument(cursor, static_cast<unsigned>(i));
      if (const CXCursor declared = base_of(argument); !clang_Cursor_isNull(declared)) set(declared, extent);
      if (is_written_through(callee, name)) write(argument, extent, false);
    }
  }

  bool calls_what_it_is_told(CXCursor callee, const std::string& name) {
    const CXCursorKind kind = clang_getCursorKind(callee);
    return kind == CXCursor_FieldDecl || kind == CXCursor_VarDecl ||
           (name == "operator()" &&
            m_files.path(position_of(clang_getCursorLocation(callee)).file) == nullptr);
  }

  // An element of a table of functions, a pointer to a member, or what another function returned.
  static bool computes_a_function(CXCursor callee) {
    for (;;) {
      const CXCursorKind kind = clang_getCursorKind(callee);
      if (kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr)
        return kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_BinaryOperator ||
               kind == CXCursor_UnaryOperator || kind == CXCursor_ConditionalOperator ||
               kind == CXCursor_CallExpr;
      const std::vector<CXCursor> children = children_of(callee);
      if (children.size() != 1) return false;
      callee = children.front();
    }
  }

  static bool starts_thread(CXCursor call, CXCursor callee, const std::string& name) {
    if (name == "async" || name == "pthread_create" || name == "thrd_create") return true;
    if (name.starts_with("thread") || name.starts_with("jthread")) {
      const std::string made = spelling(clang_getCursorSemanticParent(callee));
      return made == "thread" || made == "jthread";
    }
    if (name != "emplace_back" && name != "push_back" && name != "emplace") return false;
    const std::vector<CXCursor> named = children_of(call);
    const std::vector<CXCursor> object = named.empty() ? named : children_of(named.front());
    if (object.empty()) return false;
    const std::string type =
        text_of(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(object.front()))));
    return type.find("std::thread") != std::string::npos || type.find("std::jthread") != std::string::npos;
  }

  void start(CXCursor cursor, unsigned line, bool handed) {
    const CXCursor named = clang_getCursorReferenced(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && is_function(clang_getCursorKind(named)) &&
        m_files.path(position_of(clang_getCursorLocation(named)).file) != nullptr)
      facts().starts.insert({line, usr_of(named), spelling(named), handed});
    const bool calls = handed && clang_getCursorKind(cursor) == CXCursor_CallExpr;
    for (const CXCursor child : children_of(cursor)) {
      if (clang_getCursorKind(child) != CXCursor_LambdaExpr) {
        // What it calls itself is not handed on, but what that returns.
        if (!calls || clang_equalCursors(clang_getCursorReferenced(child), named) == 0)
          start(child, line, handed);
      } else if (handed) {
        facts().starts.insert({line, "", "", true, begin_of(child).line, end_of(child).line});
      }
    }
  }

  static bool has_policy(CXCursor call) {
    return clang_Cursor_getNumArguments(call) > 0 &&
           text_of(clang_getTypeSpelling(clang_getCanonicalType(
               clang_getCursorType(clang_Cursor_getArgument(call, 0))))) == "std::launch";
  }

  // A free function of the library calls what it gets at once.
  bool is_algorithm(CXCursor callee) {
    return is_function(clang_getCursorKind(callee)) && calls_at_once(callee) &&
           m_files.path(position_of(clang_getCursorLocation(callee)).file) == nullptr;
  }

  // Functions among the arguments.
  void hand_over(CXCursor call, const std::vector<CXCursor>& children, unsigned line) {
    const CXCursor callee = clang_getCursorReferenced(call);
    for (const CXCursor child : children) {
      const bool names_callee = clang_equalCursors(child, children.front()) != 0 &&
                                clang_getCursorKind(callee) != CXCursor_Constructor &&
                                (clang_Cursor_isNull(callee) != 0 ||
                                 clang_equalCursors(clang_getCursorReferenced(child), callee) != 0);
      if (clang_getCursorKind(child) == CXCursor_LambdaExpr)
        facts().starts.insert({line, "", "", true, begin_of(child).line, end_of(child).line});
      else if (!names_callee)
        start(child, line, true);
    }
  }

  // Whether a function that gets a reference to a field may give it a value. Constructors keep the reference,
  // as guards do; operators of streams and locks leave what they get as good as it was.
  static bool is_written_through(CXCursor callee, const std::string& name) {
    return clang_getCursorKind(callee) != CXCursor_Constructor && !name.starts_with("operator") &&
           name.find("lock") == std::string::npos && name.find("wait") == std::string::npos;
  }

  void decision(CXCursor cursor, CXCursorKind kind, const std::vector<CXCursor>& children) {
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
    fact.body = extent.end_line;
    fact.last = std::max({extent.end_line, jump_of(cursor, kind), waits_behind(cursor, kind, children)});
    if (is_spin_loop(cursor, children) || is_exit_of_spin_loop(kind, children, heads, fact))
      for (unsigned line = fact.from; line <= fact.to; ++line)
        facts().waits.try_emplace(line, m_functions.back().end_line);
    facts().decisions.insert(fact);
  }

  // `for (;;) if (!locked.exchange(true)) return;`
  bool is_exit_of_spin_loop(CXCursorKind kind, const std::vector<CXCursor>& children, std::size_t heads,
                            const Decision& fact) const {
    return kind == CXCursor_IfStmt && heads > 0 && !m_loops.empty() && m_loops.back().endless &&
           fact.last == m_functions.back().end_line && takes_atomic(children[heads - 1]);
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
    m_references.clear();
    m_kept.clear();
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
  std::vector<Loop> m_loops;  // that contain the current node
  std::vector<Loop> m_breaks; // with each `switch`
  std::map<Variable, LocalValue> m_values;
  std::map<Variable, Field> m_references;
  std::set<unsigned> m_kept; // the offsets of addresses that are only kept
};

} // namespace

void collect_flows(CXCursor declaration, UserFiles& files, Program& program) {
  if (files.path(begin_of(declaration).file) != nullptr) Collector(files, program).visit(declaration);
}

} // namespace reex::impact
