// A directed graph of events: the edges on cycles, and transitive reduction.
#pragma once

#include <set>
#include <utility>
#include <vector>

namespace reex::inference {

// Nodes are numbers from 0. Parallel edges are one.
class Graph {
public:
  using Edge = std::pair<int, int>;

  void add(int from, int to);
  const std::set<Edge>& edges() const { return m_edges; }

  // Removes every edge that lies on a cycle, and returns them. Cost: nodes times edges.
  std::vector<Edge> remove_cycles();
  // Of an acyclic graph: removes each edge that a longer path replaces (Aho, Garey, Ullman: The Transitive
  // Reduction of a Directed Graph, 1972), and returns them. Cost: edges times edges.
  std::vector<Edge> reduce();
  // Whether a path of at least one edge leads there; an edge that is not to be used may be named.
  bool reaches(int from, int to, const Edge* without = nullptr) const;

private:
  std::set<Edge> m_edges;
};

} // namespace reex::inference
