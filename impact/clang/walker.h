// Walks the syntax tree of one unit and fills a Program with facts. The files walk_declarations.cpp,
// walk_statements.cpp, walk_expressions.cpp and walk_lives.cpp implement it.
//
// Thread safety: parse_unit() makes one walker for each parse. The threads share nothing.
//
// Invariants: the walker records facts only about files of the user. The nodes, accesses and lock calls of a
// function are in m_groups, m_accesses and m_lock_events until the outermost function ends; then they move to
// the program.
//
// Cost: one visit of each node of the user's declarations. For some nodes it searches all nodes of the
// function (AccessGroups::smallest_at).
//
// Errors: none. Parts of the tree that libclang does not expose give no facts.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <clang-c/Index.h>

#include "impact/clang/clang_names.h"
#include "impact/clang/guard_classes.h"
#include "impact/clang/lock_flow.h"
#include "impact/clang/lock_names.h"
#include "impact/clang/user_files.h"
#include "impact/facts/access_groups.h"
#include "impact/facts/facts.h"

namespace reex::impact {

class Walker {
public:
  Walker(UserFiles& files, Program& program) : m_files(files), m_guards(files), m_program(program) {}

  void declaration(CXCursor cursor); // visits it and everything below it, if it is in a file of the user

private:
  // What an expression designates, and where the compilers put its operations.
  struct Value {
    int node = -1;           // number in m_groups
    std::set<Field> fields;  // the fields that the expression designates, as an lvalue
    bool direct = false;     // a plain operand: as an argument of a call, it is read at the call's place
    bool conversion = false; // it ends in a user-defined conversion (an atomic that is read by its name)
  };
  using Variable = std::pair<CXFile, unsigned>; // a local variable, given by the place of its declaration

  // declarations
  void class_definition(CXCursor cursor);
  void bit_field_separators(CXCursor class_definition);
  void field_declaration(CXCursor cursor);
  void function(CXCursor cursor);
  void function_declaration(CXCursor cursor);
  void constructor_initializers(CXCursor cursor);
  void leave_function();
  void declare_variable(CXCursor cursor);
  Value variable(CXCursor cursor);
  void structured_binding(CXCursor cursor);
  void bind_names(CXCursor binding, const std::set<Field>& object);
  void destructor_call(CXCursor variable);
  std::optional<Field> shared_variable(CXCursor variable);
  void captured_use(const Variable& variable, CXCursor cursor);
  bool is_shared_local(const Variable& variable, CXCursor cursor);
  std::string function_prefix() const;

  // statements
  void statement(CXCursor cursor);
  void control_statement(CXCursor cursor);
  void flow(FlowStep::Kind kind, Position at, bool always = false, bool once = false);
  void flow_into(CXCursor control_statement, const std::vector<CXCursor>& children, std::size_t heads,
                 std::size_t child);
  void jump(CXCursor statement);
  void switch_condition(CXCursor cursor, CXCursor condition, CXCursor body);
  void range_for(CXCursor cursor);
  void record_lines(const std::string* file, unsigned first, unsigned last, std::size_t first_hole);

  // locks
  void lock_variable(CXCursor cursor);
  void lock_call(CXCursor call, LockCall kind, const std::string& object);
  LockCall late_lock_of(const std::string& name, const std::string& object) const;
  void once_call(CXCursor call);
  void use_of_locked(CXCursor expression, const std::string& file, unsigned line);
  void adopt(const std::string& given);
  void release_adopted(Position end);
  unsigned first_of_conditional(std::size_t taken) const;
  void finish_lock_pairs();

  // lives
  void life_of_variable(CXCursor variable);
  void lives_in(CXCursor expression, const Extent& statement, bool all);
  void life_of_called(CXCursor member, const Extent& statement);
  void life_of_assigned(const std::vector<CXCursor>& operands, const Extent& statement);
  void add_life(CXType type, CXCursor at, const Extent& statement, unsigned until);
  void give_on(CXCursor returned);
  void finish_lives();

  // expressions
  Value expression(CXCursor cursor);
  Value transparent(CXCursor cursor);
  Value call(CXCursor cursor);
  Value member(CXCursor cursor, bool callee = false);
  Value named(CXCursor cursor);
  Value binary(CXCursor cursor, bool compound);
  Value unary(CXCursor cursor);
  Value subscript(CXCursor cursor);
  Value conditional(CXCursor cursor);
  Value lambda(CXCursor cursor);
  Value creation(CXCursor cursor);
  std::vector<std::string> locked_by(CXCursor call, CXCursor callee, const std::string& object);
  void record_call(CXCursor cursor, CXCursor callee);
  void record_iteration(CXCursor range);
  void record_given_function(CXCursor argument);
  void record_default_argument(CXCursor call, CXCursor parameter);
  void record_default_arguments(CXCursor given, CXCursor call);
  void record_dependent_call(CXCursor cursor, const std::string& name);
  void join_with_first_token(int node, CXCursor cursor);
  void join_with_last_token(int node, CXCursor operand);
  bool is_system(CXCursor declaration);
  std::string text(CXCursor cursor);
  std::string initializer(CXCursor variable); // as it is spelled, without its brackets
  int add_node(CXCursor cursor);
  int access(CXCursor cursor, const std::set<Field>& fields);

  UserFiles& m_files;
  GuardClasses m_guards;
  Program& m_program;
  AccessGroups m_groups;

  struct Context {
    std::string class_name;
    std::string method;
    bool lambda = false;
    CXFile file = nullptr;
    unsigned begin = 0; // offsets of a lambda's text
    unsigned end = 0;
    std::string introducer;    // the lambda's "[&, x]"
    std::string captures = ""; // the usr of the Shape that stands for it
  };
  std::vector<Context> m_contexts;
  std::vector<Extent> m_scopes;   // the blocks and control statements that contain the current node
  std::vector<Extent> m_branches; // the `if` statements that contain the current node
  std::vector<Extent> m_holes;    // the bodies of the function's lambdas
  std::map<Variable, std::set<Field>> m_aliases; // the fields that references and lock guards refer to
  std::vector<std::pair<const std::string*, Access>> m_accesses;      // of the function
  std::vector<std::pair<const std::string*, Declaration>> m_declared; // local variables of the function
  std::set<Field> m_locals;   // local variables that the function uses
  std::set<Field> m_captured; // those that a lambda captures by reference

  struct LockEvent {
    std::string object; // of the call; the name of a guard
    std::string lock;   // what is locked, as it is spelled
    const std::string* file;
    LockCall kind;
    unsigned line;
    bool guard; // the variable locks, and unlocks at the end of its scope at the latest
    std::vector<Extent> branches;
    std::size_t step; // its number in m_flow
  };
  std::vector<LockEvent> m_lock_events;
  std::vector<FlowStep> m_flow; // of the function
  std::map<Variable, std::pair<const std::string*, ObjectLife>>
      m_lives;                     // of the function's variables, by file
  std::set<std::string> m_adopted; // what guards of the function release that others have locked
  std::vector<std::pair<std::size_t, std::string>> m_adopting; // the same, by the number of open scopes
  std::set<std::string> m_deferred; // guards that lock later, and unlock at the end of their scope
};

} // namespace reex::impact
