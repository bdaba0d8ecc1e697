#include "impact/reach/graph.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "impact/sources/lexical.h"

namespace reex::impact {
namespace {

// By these, code runs that nothing names.
constexpr std::array<std::string_view, 6> k_ways_out = {"dlopen", "dlmopen", "dlsym",
                                                        "dlvsym", "asm",     "__asm__"};

// How many brackets a line opens and does not close.
int open_brackets(const std::string& line) {
  int open = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"')
      while (++i < line.size() && line[i] != '"') i += line[i] == '\\' ? 1 : 0;
    else if (line[i] == '\'' && i + 2 < line.size())
      i += line[i + 1] == '\\' ? 3 : line[i + 2] == '\'' ? 2 : 0;
    else
      open += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
  }
  return open;
}

// The words of the node's lines. Where the use of a macro ends, the syntax tree does not know: the lines go
// on until the brackets are closed.
void add_lines(const GraphNode& node, std::set<std::string>& words) {
  constexpr unsigned k_furthest = 1000;
  int open = 0;
  for (unsigned line = node.node.first; line >= 1 && line <= node.code->size(); ++line) {
    if (line > node.node.last && (open <= 0 || line > node.node.last + k_furthest)) return;
    const std::string& code = (*node.code)[line - 1];
    add_words(code, words);
    open += open_brackets(code);
  }
}

} // namespace

Graph::Graph(std::vector<GraphNode> nodes, std::set<std::string> defined)
    : m_nodes(std::move(nodes)), m_defined(std::move(defined)) {
  std::set<std::string> types;
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i].node;
    for (const std::string& name : node.declares) m_declaring[name].push_back(i);
    if (node.is_type) types.insert(node.declares.begin(), node.declares.end());
    if (!node.owner.empty()) m_members[node.owner].push_back(i);
    for (const std::string& name : node.head) m_heads[name].push_back(i);
    if (!node.test.empty()) m_cases[node.test].push_back(i);
  }
  for (std::size_t i = 0; i < m_nodes.size(); ++i) {
    const Node& node = m_nodes[i].node;
    const bool generic = node.generic && std::none_of(node.head.begin(), node.head.end(),
                                                      [&](const auto& name) { return types.contains(name); });
    if (node.is_root || generic) roots.push_back(i);
  }
  m_roots.nodes.assign(m_nodes.size(), false);
  reach(std::move(roots), m_roots);
}

std::set<std::string> Graph::cases() const {
  std::set<std::string> names;
  for (const auto& [name, places] : m_cases) names.insert(name);
  return names;
}

Reached Graph::of_case(const std::string& test) {
  Reached reached = m_roots;
  reach(m_cases.at(test), reached);
  return reached;
}

void Graph::reach(std::vector<std::size_t> from, Reached& reached) {
  const auto add_all = [&](const Places& places, const std::string& name) {
    if (const auto found = places.find(name); found != places.end())
      from.insert(from.end(), found->second.begin(), found->second.end());
  };
  while (!from.empty()) {
    const std::size_t number = from.back();
    from.pop_back();
    if (reached.nodes[number]) continue;
    reached.nodes[number] = true;
    const GraphNode& node = m_nodes[number];
    const std::set<std::string>& mentions = mentions_of(number);
    if (node.impacted && reached.impacted == nullptr) reached.impacted = &node;
    if (reached.open == nullptr && leads_out(node.node, mentions)) reached.open = &node;
    for (const std::string& name : mentions) add_all(m_declaring, name); // rule 1
    if (!node.node.is_type) continue;
    std::vector<std::string> names = node.node.declares; // rule 2
    if (!node.node.owner.empty()) names.push_back(node.node.owner);
    names.push_back("::" + node.node.scope);
    for (const std::string& name : names) {
      add_all(m_members, name);
      add_all(m_heads, name);
    }
  }
}

const std::set<std::string>& Graph::mentions_of(std::size_t number) {
  const auto [place, fresh] = m_mentions.try_emplace(number);
  if (!fresh) return place->second;
  const GraphNode& node = m_nodes[number];
  place->second = node.node.names;
  if (node.code != nullptr) add_lines(node, place->second);
  return place->second;
}

bool Graph::leads_out(const Node& node, const std::set<std::string>& mentions) const {
  return std::any_of(k_ways_out.begin(), k_ways_out.end(),
                     [&](std::string_view name) { return mentions.contains(std::string(name)); }) ||
         std::any_of(node.lacks.begin(), node.lacks.end(),
                     [&](const std::string& usr) { return !m_defined.contains(usr); });
}

std::vector<Node> macros_of(const std::vector<std::string>& code) {
  std::vector<Node> macros;
  for (unsigned i = 0; i < code.size(); ++i) {
    const std::string name = defined_macro(code[i]);
    if (name.empty()) continue;
    Node node;
    node.first = i + 1;
    while (i + 1 < code.size() && code[i].ends_with('\\')) ++i;
    node.last = i + 1;
    node.declares = {name};
    macros.push_back(std::move(node));
  }
  return macros;
}

} // namespace reex::impact
