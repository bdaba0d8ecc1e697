#include <gtest/gtest.h>

#include <random>

#include "imunit/graph.h"

namespace reex::inference {
namespace {

using Edges = std::vector<Graph::Edge>;

Graph graph_of(const Edges& edges) {
  Graph graph;
  for (const auto& [from, to] : edges) graph.add(from, to);
  return graph;
}

TEST(Graphs, LoseAllEdgesOfACycle) {
  Graph graph = graph_of({{0, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 4}});
  EXPECT_EQ(graph.remove_cycles(), (Edges{{1, 2}, {2, 1}, {4, 4}}));
  EXPECT_EQ(graph.edges(), (std::set<Graph::Edge>{{0, 1}, {2, 3}}));
}

TEST(Graphs, AreReduced) {
  Graph graph = graph_of({{0, 1}, {1, 2}, {2, 3}, {0, 2}, {0, 3}, {1, 3}, {0, 4}});
  EXPECT_EQ(graph.reduce(), (Edges{{0, 2}, {0, 3}, {1, 3}}));
}

// Reduction keeps what can be reached, and no edge could be left out besides.
TEST(Graphs, ReduceToTheLeast) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    constexpr int k_nodes = 7;
    Edges edges;
    for (int from = 0; from < k_nodes; ++from)
      for (int to = from + 1; to < k_nodes; ++to)
        if (random() % 2 == 0) edges.emplace_back(from, to);
    const auto closure = [](const std::set<Graph::Edge>& of) {
      std::set<Graph::Edge> all = of;
      for (int via = 0; via < k_nodes; ++via)
        for (int from = 0; from < k_nodes; ++from)
          for (int to = 0; to < k_nodes; ++to)
            if (all.count({from, via}) != 0 && all.count({via, to}) != 0) all.insert({from, to});
      return all;
    };
    Graph graph = graph_of(edges);
    const std::set<Graph::Edge> before = closure(graph.edges());
    graph.reduce();
    EXPECT_EQ(closure(graph.edges()), before);
    for (const Graph::Edge& edge : graph.edges()) {
      std::set<Graph::Edge> fewer = graph.edges();
      fewer.erase(edge);
      EXPECT_NE(closure(fewer), before);
    }
  }
}

} // namespace
} // namespace reex::inference
