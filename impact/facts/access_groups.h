// Finds out which fields are accessed at a source position.
//
// g++ and clang++ put the instructions of one expression at different columns of the line table. This was
// measured with -fsanitize=thread -g at -O0 and -O2 (g++ 12, clang 14). The table shows the column of the
// operation's pc:
//
//   expression            g++                          clang++
//   q.n.load()            the '('                      the method's name, 'load'
//   f(m), f(&m)           the '(', read of m included  the start of the call; the read of m at m
//   f(a.load(), b.load()) both at the outer '('        each at its 'load'
//   lock_guard l(m)       the ')' or '}'               the variable's name, 'l'
//   n++, ++n on atomics   the operator                 the start of the expression
//   n = x, n += x         the operator                 the operator
//   o.m read              the member's name            the member's name
//   o.n converted         o.n's last token; within a   the start of o.n
//                         binary expression ITS last
//   a[i]                  the ']'                      the start of the expression
//   c ? m : k             the '?' for both arms        each arm at its place
//   for (auto& e : v)     v                            the ':'
//
// The rule: each call, operator, member expression, subscript, conditional and initialized variable is a node
// with an extent. A position belongs to the SMALLEST node that contains it. If a compiler puts the operations
// of several nodes at one column, these nodes are joined into a group (a call with its plain arguments and
// nested calls, the arms of a conditional, ...). Each node of a group has all fields of the group. So the
// columns of both compilers lead to the same fields.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/facts/facts.h"

namespace reex::impact {

class AccessGroups {
public:
  // Adds a node; `file` must stay valid until flush().
  int add(const std::string* file, const Extent& extent);
  void add_fields(int node, const std::set<Field>& fields);
  void join(int one, int two); // does nothing if one of them is -1
  // The smallest node that contains the position; if several have this extent, the one added last. -1 if
  // there is none.
  int smallest_at(const std::string* file, unsigned line, unsigned column) const;

  // Moves all nodes into the facts, without the fields in `dropped`. Call it at the end of each function.
  void flush(Program& program, const std::set<Field>& dropped);

private:
  int root(int node);

  struct Node {
    const std::string* file;
    Extent extent;
    std::set<Field> fields;
    int parent;
  };
  std::vector<Node> m_nodes;
};

} // namespace reex::impact
