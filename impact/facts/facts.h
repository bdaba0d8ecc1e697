// The facts that a parse finds in the user's source files, as plain data. They are all that the four analyses
// of CAPP need (dissertation, section 4.2.1), so no object of libclang outlives the parse, and the facts of
// several units can be merged. Facts are stored by file. Units that share a header have the same facts about
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/facts/extent.h"

namespace reex::impact {

// What a field is in Java: a data member, or a variable that threads can share. Such a variable is a global
// or static one (class ""; its name is qualified with its namespace or function), or a local one that a
// lambda captures by reference ("main()::count"). `any_class` marks a member that a template accesses on a
// dependent type.
struct Field {
  std::string class_name;
  std::string name;
  bool any_class = false;
  auto operator<=>(const Field&) const = default;
};

// A function definition. A lambda is a function of its own inside another function.
struct Function {
  Extent extent;
  std::string class_name;
  std::string method; // within its class; a free function's is qualified; a lambda's ends with "::(lambda)"
  std::string usr;    // clang's name for it, the same in all units; of a lambda that of its operator()
  bool lambda = false;
  auto operator<=>(const Function&) const = default;
};

struct Class {
  Extent extent;
  std::string name;
  auto operator<=>(const Class&) const = default;
};

struct Access {
  unsigned line = 0;
  unsigned column = 0;
  Field field;
  auto operator<=>(const Access&) const = default;
};

struct Call {
  unsigned line = 0;
  unsigned column = 0;
  std::string usr;  // of the function; "" if a template does not know the function yet
  std::string name; // unqualified
  bool dependent = false;
  auto operator<=>(const Call&) const = default;
};

// The lines from the acquisition of a lock to its release, both included, or those of a `call_once`. If the
// lock is taken under a condition that ends before the release, the region begins with the condition.
struct Region {
  struct Gap {
    unsigned first = 0;
    unsigned last = 0;
    auto operator<=>(const Gap&) const = default;
  };
  unsigned first = 0;
  unsigned last = 0;
  std::string lock;   // what is locked, as it is spelled: the object of `lock()`, the arguments of a guard
  unsigned taken = 0; // the line that takes the lock
  std::vector<Gap> gaps{}; // where it is not held, as from an early release to the `return` behind it
  auto operator<=>(const Region&) const = default;

  bool contains(unsigned line) const;
  // Whether what stood between this line and the next one was in the region.
  bool contains_behind(unsigned line) const { return line < last && contains(line) && contains(line + 1); }
  std::vector<unsigned> lines() const;
};

// A call that takes a lock and leaves it locked when its function ends, or one that releases a lock that the
// function has not taken. Who calls the function locks or unlocks, too (call_regions.h).
struct HalfRegion {
  unsigned line = 0;
  bool takes = false;
  std::string lock; // as in a Region
  auto operator<=>(const HalfRegion&) const = default;
};

// An object of a class of the user with a destructor of its own: a variable, to the end of its scope, or what
// a call gives for the rest of its statement. What returns it gives it on to who calls the function.
struct ObjectLife {
  unsigned first = 0; // of the declaration, or of the statement
  unsigned last = 0;
  unsigned until = 0;
  std::string destructor; // its usr
  auto operator<=>(const ObjectLife&) const = default;
};

// The lines of one statement of several lines, without the bodies of blocks and lambdas in it. Compilers put
// parts of a statement on different lines of it, so all of its lines count as one.
using StatementLines = std::set<unsigned>;

struct Declaration {
  unsigned first = 0;
  unsigned last = 0;
  Field field;            // of a variable or data member
  std::string class_name; // of a function
  std::string method;
  std::string usr;
  auto operator<=>(const Declaration&) const = default;
};

// A declaration whose users see when it changes, although their own lines stay as they are: an enumerator, a
// constant, an alias, a using-declaration, a class with its bases, a default member initializer, the order of
// a class's members, a template parameter with a default argument, what is locked, a function's head with its
// default arguments, what a function says that the compiler executes, what a lambda captures. What is
// declared has changed if the text has (users.h).
struct Shape {
  enum class Kind : std::uint8_t {
    declaration,
    enumeration, // its enumerators follow from each other
    initializer, // of a member: who ran one that is gone runs nothing in its place
    order,       // the names of members: one that comes or goes leaves the others in their order
    arguments,   // of the templates in `overrides`: what a variable, an alias or a class's bases give them
    bases,       // of a class: what a line means that calls its members depends on the old side, too
    type,        // of a variable, or of a member of what a template makes: known on both sides or not at all
    alias, // a name for a type, a namespace, or what is declared elsewhere: its users mean something else now
  };
  unsigned first = 0;
  unsigned last = 0;
  std::string usr;
  std::string name; // unqualified; of members: their class's
  std::string text; // an enumerator's value, an alias's type, a class's bases, the code of all else
  Kind kind = Kind::declaration;
  std::vector<std::string> overrides; // of a method: the usrs of those that it overrides; see Kind::arguments
  auto operator<=>(const Shape&) const = default;
};

// A line that uses what a Shape declares.
struct Use {
  unsigned line = 0;
  std::string usr;  // "" if a template does not know yet what its name means
  std::string name; // "" if the line does not name it
  auto operator<=>(const Use&) const = default;
};

// The condition of a control statement, from one line to another, and the lines that are executed or not, or
// at another time, by what it says: those of its bodies, and those behind a body that jumps.
struct Decision {
  unsigned from = 0;
  unsigned to = 0;
  unsigned first = 0;
  unsigned last = 0;
  unsigned body = 0; // the last line of the statement
  bool loop = false;
  auto operator<=>(const Decision&) const = default;
};

// The lines that give a local variable a value, with its declaration, and those that use it.
struct LocalValue {
  std::set<unsigned> set_on;
  std::set<unsigned> used_on;
  auto operator<=>(const LocalValue&) const = default;
};

// A declaration outside of functions and classes, as a node of the graph of mentions (impact/reach). A class
// is one node with all that is written in it; a member that is defined outside of it is a node of its own.
struct Node {
  unsigned first = 0; // lines
  unsigned last = 0;
  std::vector<std::string> declares; // unqualified; empty for a member, which its class leads to
  std::string owner;                 // of a member: its outermost class, unqualified
  bool is_type = false;
  bool is_root = false;        // code runs or may run although nothing of the user's mentions it
  bool generic = false;        // a free operator: calls of it need not name it
  std::string scope;           // of a type or a free template: its outermost namespace; "" for the global one
  std::set<std::string> names; // of what the syntax tree refers to, as far as its lines do not show them
  // What a function's parameters or a specialization's arguments are made of; of a free template also "::"
  // and its scope.
  std::set<std::string> head;
  std::vector<std::string> lacks; // usrs of functions that are declared here, and not defined here
  std::string test;               // of a test case: what names it in the sources; else ""
  auto operator<=>(const Node&) const = default;
};

// The lines of an expression that gives a field a value.
struct FieldWrite {
  unsigned first = 0;
  unsigned last = 0;
  unsigned line = 0; // where the field is named and not read; 0 if its old value counts, too
  unsigned column = 0;
  Field field;
  bool fresh = false; // of an object that is made there
  auto operator<=>(const FieldWrite&) const = default;
};

// A function that a line starts as a thread, or hands to another function, which may call it elsewhere.
struct Start {
  unsigned line = 0;
  std::string usr;     // "" of a lambda that is handed on
  std::string name{};  // unqualified
  bool handed = false; // also of `std::async` with a policy
  unsigned first = 0;  // the lines of such a lambda
  unsigned last = 0;
  auto operator<=>(const Start&) const = default;
};

// A function of a lock of the user that a guard of the library calls where it is declared.
struct GuardedCall {
  unsigned line = 0;
  std::string usr;  // "" if a template does not know the lock yet
  std::string name; // unqualified
  auto operator<=>(const GuardedCall&) const = default;
};

// A `try`: what is thrown in its block gets to its handlers.
struct Attempt {
  unsigned first = 0; // of the block
  unsigned last = 0;
  unsigned end = 0; // of the last handler
  auto operator<=>(const Attempt&) const = default;
};

struct FileFacts {
  std::set<Function> functions;
  std::set<Class> classes;
  std::set<Access> accesses;
  std::set<Call> calls;
  std::map<Extent, std::set<Field>> positions; // see access_groups.h
  std::set<Region> regions;
  std::set<HalfRegion> half_regions;
  std::set<ObjectLife> lives;
  std::set<StatementLines> statements;
  std::set<Declaration> declarations;
  std::set<Shape> shapes;
  std::set<Use> uses;
  std::set<Node> nodes;
  std::set<Decision> decisions;
  std::set<LocalValue> values;
  std::set<unsigned> orders;  // lines that wait for other threads, or let them go on
  std::set<unsigned> results; // lines that give who calls a value: by a `return`, or through a parameter
  std::set<FieldWrite> writes;
  std::set<unsigned> given;           // lines that use a parameter of their function
  std::map<unsigned, unsigned> waits; // lines that wait for a condition, and the last one behind them
  std::set<unsigned> indirect;        // lines that call what a pointer or a function object says
  std::set<Start> starts;
  std::set<GuardedCall> guarded;
  std::map<unsigned, unsigned> jumps; // lines that jump, and the last one that runs or not because of it
  std::set<unsigned> throws;          // lines that throw an exception
  std::set<Attempt> attempts;
};

using Program = std::map<std::string, FileFacts>; // by absolute, normalized path

struct UnitFacts {
  std::string main_file;
  Program files;
  std::vector<std::string> included; // the user's files that the parser read
  std::vector<std::string> read;     // all files that it read, those of the system too
  std::string problem;               // the first error, "" if there was none
  bool misses_file = false; // an error names a file that is not there: if it comes, the facts are others
  bool parsed = false;      // false: there are no facts at all
  bool cached = false;      // they come from an earlier parse of the same contents
  bool left_out = false;    // not parsed because it was not to be
};

void merge(Program& into, Program&& from);

} // namespace reex::impact
