// The graph of mentions: which declarations a piece of code may execute something of.
//
// It goes by names. Whatever is executed was named, directly or not, by what runs anyway or by the case. The
// rules say how:
//
//  1. A node that is reached reaches every node that declares a name which it mentions: in its lines, in its
//     syntax tree, in the text of a macro. Scopes and overloads are not told apart.
//  2. A type that is reached reaches its members that are defined outside of it, and every function or
//     specialization whose head names it: operators, what is found by argument-dependent lookup, hashes. So
//     members need not be named, and virtual functions are reached with the class of the object, which was
//     named where the object was made.
//  3. A free template is also reached by the types of its namespace: the library may call it for them. A free
//     operator whose head names no type of the program is reached by everything.
//
// Callers: find_reach(). Functions of plain values.
//
// Cost: for each node that is reached, its lines are cut into words, once.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "impact/facts/facts.h"

namespace reex::impact {

struct GraphNode {
  Node node;
  std::string file;
  const std::vector<std::string>* code = nullptr; // of `file`; must outlive the graph
  bool impacted = false;
};

// What some code reaches.
struct Reached {
  std::vector<bool> nodes;
  const GraphNode* impacted = nullptr; // the first that is; null if none is
  const GraphNode* open = nullptr;     // the first that may lead out of what is known; null if none does
  bool nothing_impacted() const { return impacted == nullptr && open == nullptr; }
};

class Graph {
public:
  // `defined`: the usrs of the functions whose bodies are among the nodes.
  Graph(std::vector<GraphNode> nodes, std::set<std::string> defined);

  // What runs in every case.
  const Reached& roots() const { return m_roots; }
  // What runs in the cases with this name (Node::test), which is one of cases().
  Reached of_case(const std::string& test);
  std::set<std::string> cases() const;

private:
  using Places = std::map<std::string, std::vector<std::size_t>>;

  void reach(std::vector<std::size_t> from, Reached& reached);
  const std::set<std::string>& mentions_of(std::size_t number);
  bool leads_out(const Node& node, const std::set<std::string>& mentions) const;

  std::vector<GraphNode> m_nodes;
  std::set<std::string> m_defined;
  Places m_declaring; // by name
  Places m_members;   // by the name of their class
  Places m_heads;     // by the names in their heads
  Places m_cases;
  std::map<std::size_t, std::set<std::string>> m_mentions; // of those that were reached
  Reached m_roots;
};

// The macros that the lines of a file define, as nodes. `code` is that of code_of_lines().
std::vector<Node> macros_of(const std::vector<std::string>& code);

} // namespace reex::impact
