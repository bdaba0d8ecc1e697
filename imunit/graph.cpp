#include "imunit/graph.h"

namespace reex::inference {

void Graph::add(int from, int to) { m_edges.insert({from, to}); }

bool Graph::reaches(int from, int to, const Edge* without) const {
  std::set<int> seen = {from};
  std::vector<int> open = {from};
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    for (auto edge = m_edges.lower_bound({node, -1}); edge != m_edges.end() && edge->first == node; ++edge) {
      if (without != nullptr && *edge == *without) continue;
      if (edge->second == to) return true;
      if (seen.insert(edge->second).second) open.push_back(edge->second);
    }
  }
  return false;
}

std::vector<Graph::Edge> Graph::remove_cycles() {
  std::vector<Edge> removed;
  for (const Edge& edge : m_edges)
    if (edge.first == edge.second || reaches(edge.second, edge.first)) removed.push_back(edge);
  for (const Edge& edge : removed) m_edges.erase(edge);
  return removed;
}

std::vector<Graph::Edge> Graph::reduce() {
  std::vector<Edge> removed;
  for (const Edge& edge : m_edges)
    if (reaches(edge.first, edge.second, &edge)) removed.push_back(edge);
  for (const Edge& edge : removed) m_edges.erase(edge);
  return removed;
}

} // namespace reex::inference
