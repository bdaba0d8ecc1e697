// What one parse says about the user's source files, as plain data: everything the four analyses of
// section 4.2.1 need, so that nothing of libclang outlives the parse and facts of several units can be put
// together. Facts are kept by file; units that share a header say the same about it and add nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/code_points.h"

namespace reex::impact {

// A data member, or a variable that threads can share: a global or static one (class ""; qualified with its
// namespace or function), or a local one that a lambda captures by reference ("main()::count"). C++ has these
// where Java has fields. `any_class` marks a member that a template names on a type it does not know.
struct Field {
  std::string class_name;
  std::string name;
  bool any_class = false;
  auto operator<=>(const Field&) const = default;
};

// A function definition; lambdas are functions of their own inside another.
struct Function {
  Extent extent;
  std::string class_name;
  std::string method; // within its class; a free function's is qualified; a lambda's ends with "::(lambda)"
  std::string usr;    // clang's name for it across units; "" for a lambda
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
  std::string usr;  // of the function; "" in a template that does not know it
  std::string name; // unqualified
  bool dependent = false;
  auto operator<=>(const Call&) const = default;
};

// Lines from where a lock is taken to where it is given back, both included.
struct Region {
  unsigned first = 0;
  unsigned last = 0;
  auto operator<=>(const Region&) const = default;
};

// The lines of one statement without the bodies of blocks and lambdas in it; only those of several lines are
// kept. The compilers place parts of a statement on different ones of its lines, so these count as one.
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

struct FileFacts {
  std::set<Function> functions;
  std::set<Class> classes;
  std::set<Access> accesses;
  std::set<Call> calls;
  std::map<Extent, std::set<Field>> positions; // see access_groups.h
  std::set<Region> regions;
  std::set<StatementLines> statements;
  std::set<Declaration> declarations;
};

using Program = std::map<std::string, FileFacts>; // by absolute, normalized path

struct UnitFacts {
  std::string main_file;
  Program files;
  std::vector<std::string> included; // the user's files that were read
  std::string problem;               // the first error, "" if there was none
  bool parsed = false;               // false: there are no facts at all
};

void merge(Program& into, Program&& from);

} // namespace reex::impact
